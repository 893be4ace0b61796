import { Checkbox, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { createTemplate, updateTemplate } from '#domain/campaigns/address-endpoints.ts'
import { type Audience, audiencePermissions, audiences, placeholdersOfAudience } from '#domain/campaigns/campaigns.ts'
import type { TemplateRow } from '#domain/campaigns/lists.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { TextFields } from './text-fields.tsx'

type Props = {
  /** Template to edit; left out to create a template. */
  template?: TemplateRow
  /** Audience preselected for a new template. */
  audience: Audience
  onClose: () => void
}

/**
 * Creates or edits a campaign template. A template with a `providerTemplate` can be sent outside WhatsApp's 24-hour
 * window.
 */
export function TemplateDialog({ template, audience, onClose }: Props) {
  const { t } = useTranslation(['send', 'campaigns'])
  const { may } = useSession()
  const form = useForm({
    call: template ? updateTemplate : createTemplate,
    params: template && { id: template.id },
    start: {
      name: template?.name ?? '',
      audience: template?.audience ?? audience,
      providerTemplate: template?.providerTemplate ?? '',
      subjectId: template?.subjectId ?? '',
      subjectEn: template?.subjectEn ?? '',
      bodyId: template?.bodyId ?? '',
      bodyEn: template?.bodyEn ?? '',
      active: template?.active ?? true,
      // Version when the dialog opened; a stale one is refused with 409.
      ...(template && { version: template.version }),
    },
    body: (values) => ({ ...values, providerTemplate: values.providerTemplate.trim() || null }),
    done: t(template ? 'templates.saved' : 'templates.created'),
    onDone: onClose,
  })
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
        {...form.text('name')}
      />
      <Select
        label={t('campaigns:templateColumn.audience')}
        description={t('templates.audienceHelp')}
        data={audiences
          .filter((value) => may(audiencePermissions[value]))
          .map((value) => ({ value, label: t(`campaigns:audience.${value}`) }))}
        allowDeselect={false}
        {...form.choice('audience')}
      />
      <TextInput
        label={t('campaigns:templateColumn.providerTemplate')}
        description={t('templates.providerHelp')}
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('providerTemplate')}
      />
      <TextFields form={form} placeholders={placeholdersOfAudience(form.values.audience)} />
      <Checkbox label={t('templates.active')} {...form.box('active')} />
    </DialogForm>
  )
}
