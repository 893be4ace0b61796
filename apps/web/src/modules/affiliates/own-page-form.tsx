import { Checkbox, MultiSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OwnAffiliate, saveOwnAffiliate } from '#domain/affiliates/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { PageForm } from '#web/ui/form/form.tsx'

/** Edits the affiliate's own public page. */
export function OwnPageForm({ affiliate: { page, programmes, version } }: { affiliate: OwnAffiliate }) {
  const { t } = useTranslation('affiliates')
  const [slug, setSlug] = useState(page.slug ?? '')
  const [biography, setBiography] = useState(page.biography)
  const [programmeIds, setProgrammeIds] = useState(page.programmeIds)
  const [counted, setCounted] = useState(page.counted)
  const form = useForm({
    call: saveOwnAffiliate,
    body: { slug: slug.trim() || null, biography, programmeIds, counted, version },
    done: t('own.saved'),
  })
  return (
    <PageForm form={form} submit={t('own.save')} maw={640}>
      <TextInput
        label={t('own.slug')}
        description={t('own.slugHelp')}
        autoCapitalize="none"
        spellCheck={false}
        value={slug}
        onChange={(event) => setSlug(event.currentTarget.value)}
        {...form.field('slug')}
      />
      <Textarea
        label={t('own.biography')}
        description={t('own.biographyHelp')}
        autosize
        minRows={4}
        value={biography}
        onChange={(event) => setBiography(event.currentTarget.value)}
        {...form.field('biography')}
      />
      <MultiSelect
        label={t('own.programmes')}
        data={programmes.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        value={programmeIds}
        onChange={setProgrammeIds}
        {...form.field('programmeIds')}
      />
      <Checkbox
        label={t('own.counted')}
        checked={counted}
        onChange={(event) => setCounted(event.currentTarget.checked)}
      />
    </PageForm>
  )
}
