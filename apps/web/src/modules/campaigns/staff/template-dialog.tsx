import { Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createTemplate, updateTemplate } from '#domain/campaigns/address-endpoints.ts'
import { type Audience, audiencePermissions, audiences, placeholdersOfAudience } from '#domain/campaigns/campaigns.ts'
import type { TemplateRow } from '#domain/campaigns/lists.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { TextFields } from './text-fields.tsx'

type Props = {
  /** The text that is changed; without it the dialog makes a new one. */
  template?: TemplateRow
  /** Audience chosen at first. */
  audience: Audience
  onClose: () => void
}

/** Makes or changes a text for campaigns; with the name of a template at Meta it goes out by WhatsApp at any time. */
export function TemplateDialog({ template, audience, onClose }: Props) {
  const { t } = useTranslation(['send', 'campaigns'])
  const { may } = useSession()
  // Of the row as it was when the dialog opened, so that a change by another window is refused.
  const [version] = useState(template?.version ?? 1)
  const { values, set, text, box } = useValues({
    name: template?.name ?? '',
    audience: template?.audience ?? audience,
    providerTemplate: template?.providerTemplate ?? '',
    subjectId: template?.subjectId ?? '',
    subjectEn: template?.subjectEn ?? '',
    bodyId: template?.bodyId ?? '',
    bodyEn: template?.bodyEn ?? '',
    active: template?.active ?? true,
  })
  const body = { ...values, providerTemplate: values.providerTemplate.trim() || null }
  const creating = useForm({ call: createTemplate, body, done: t('templates.created'), onDone: onClose })
  const changing = useForm({
    call: updateTemplate,
    params: { id: template?.id ?? '' },
    body: { ...body, version },
    done: t('templates.saved'),
    onDone: onClose,
  })
  const form = template ? changing : creating
  return (
    <DialogForm
      form={form}
      size="xl"
      title={template ? t('templates.editTitle', { name: template.name }) : t('templates.new')}
      submit={t('templates.save')}
      onClose={onClose}
    >
      <TextInput
        label={t('campaigns:templateColumn.name')}
        description={t('templates.nameHelp')}
        data-autofocus
        {...text('name')}
        {...form.field('name')}
      />
      <Select
        label={t('campaigns:templateColumn.audience')}
        description={t('templates.audienceHelp')}
        data={audiences
          .filter((value) => may(audiencePermissions[value]))
          .map((value) => ({ value, label: t(`campaigns:audience.${value}`) }))}
        value={values.audience}
        allowDeselect={false}
        onChange={(value) => value && set({ audience: value as Audience })}
        {...form.field('audience')}
      />
      <TextInput
        label={t('campaigns:templateColumn.providerTemplate')}
        description={t('templates.providerHelp')}
        autoCapitalize="none"
        spellCheck={false}
        {...text('providerTemplate')}
        {...form.field('providerTemplate')}
      />
      <TextFields
        texts={values}
        onChange={set}
        field={form.field}
        placeholders={placeholdersOfAudience(values.audience)}
      />
      <Checkbox label={t('templates.active')} {...box('active')} />
    </DialogForm>
  )
}
