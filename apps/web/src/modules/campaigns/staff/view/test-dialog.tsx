import { Radio, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Campaign, testCampaign } from '#domain/campaigns/endpoints.ts'
import { languages } from '#entities/define/language.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Sends the campaign's messages to the user as a test, in a chosen language. */
export function TestDialog({ campaign: { id }, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const readerLanguage = useSurroundings().language
  const form = useForm({
    call: testCampaign,
    params: { id },
    start: { language: readerLanguage },
    done: ({ data }) => t('test.done', { to: data.to.map(({ address }) => address ?? t('test.inbox')).join(', ') }),
    onDone: onClose,
  })
  return (
    <DialogForm form={form} title={t('test.title')} submit={t('test.send')} onClose={onClose}>
      <Text>{t('test.text')}</Text>
      <Radio.Group label={t('test.language')} {...form.value('language')}>
        <Stack gap="xs" mt="xs">
          {languages.map((value) => (
            <Radio key={value} value={value} label={t(`campaigns:language.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  )
}
