import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { mapFeederRegion } from '#domain/students/feeder/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

type Props = { district: { code: string; name: string }; onClose: () => void }

/** Sets a district's Neo Feeder code, for all students from there. */
export function RegionDialog({ district, onClose }: Props) {
  const { t } = useTranslation('feeder')
  const { name } = district
  const form = useForm({
    call: mapFeederRegion,
    start: { code: '' },
    body: ({ code }) => ({ districtCode: district.code, code: code.trim() }),
    done: t('region.saved', { name }),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('region.title', { name })} form={form} submit={t('region.save')} onClose={onClose}>
      <Text size="sm">{t('region.text', district)}</Text>
      <TextInput
        label={t('region.code')}
        description={t('region.codeHint')}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...form.text('code')}
      />
    </DialogForm>
  )
}
