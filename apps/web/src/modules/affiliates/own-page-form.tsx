import { Checkbox, MultiSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type OwnAffiliate, saveOwnAffiliate } from '#domain/affiliates/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { PageForm } from '#web/ui/form/form.tsx'

/** Edits the affiliate's own public page. */
export function OwnPageForm({ affiliate: { page, programmes, version } }: { affiliate: OwnAffiliate }) {
  const { t } = useTranslation('affiliates')
  const form = useForm({
    call: saveOwnAffiliate,
    start: {
      slug: page.slug ?? '',
      biography: page.biography,
      programmeIds: page.programmeIds,
      counted: page.counted,
    },
    body: ({ slug, ...others }) => ({ ...others, slug: slug.trim() || null, version }),
    done: t('own.saved'),
  })
  return (
    <PageForm form={form} submit={t('own.save')} maw={640}>
      <TextInput
        label={t('own.slug')}
        description={t('own.slugHelp')}
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('slug')}
      />
      <Textarea
        label={t('own.biography')}
        description={t('own.biographyHelp')}
        autosize
        minRows={4}
        {...form.text('biography')}
      />
      <MultiSelect
        label={t('own.programmes')}
        data={programmes.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        {...form.value('programmeIds')}
      />
      <Checkbox label={t('own.counted')} {...form.box('counted')} />
    </PageForm>
  )
}
