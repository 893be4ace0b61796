import { Alert, Anchor, Button, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { emailProblem } from '#domain/accounts/fields.ts'
import { inviteAccount } from '#domain/accounts/staff-endpoints.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { SegmentedField } from '#web/ui/form/segmented-field.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { RoleSelect } from './role-select.tsx'

/** Invites a member of staff by e-mail. */
export default function InvitePage() {
  const { t } = useTranslation('staff-accounts')
  const { say } = useSurroundings()
  const { may } = useSession()
  const navigate = useNavigate()
  const wayBack = useWayBack()
  const form = useForm({
    call: inviteAccount,
    start: { name: '', email: '', roleId: null as string | null, language: 'id' as Language },
    done: ({ data }) => t('create.sent', { email: data.email }),
    onDone: ({ data }) =>
      navigate(may('settings-accounts-update') ? `/settings/accounts/${data.id}` : '/settings/accounts'),
  })
  const exists = form.refusal?.errors.email && form.errorOf('email') && emailProblem(form.values.email) === null
  return (
    <>
      <PageHeader title={t('create.title')} />
      <Card>
        <PageForm
          form={form}
          submit={t('create.send')}
          maw={560}
          beside={
            <Button component={Link} {...wayBack('/settings/accounts')} variant="default">
              {say('actions.cancel')}
            </Button>
          }
        >
          <Text c="dimmed">{t('create.lead')}</Text>
          <TextInput label={t('create.name')} autoComplete="off" {...form.text('name')} />
          <TextInput
            label={t('create.email')}
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.text('email')}
            withAsterisk
          />
          {exists && (
            <Alert variant="light" color="blue">
              <Anchor component={Link} to={`/settings/accounts?q=${encodeURIComponent(form.values.email.trim())}`}>
                {t('create.openExisting')}
              </Anchor>
            </Alert>
          )}
          <RoleSelect offered={({ applicant, active }) => !applicant && active} {...form.value('roleId')} />
          <SegmentedField
            label={t('create.language')}
            data={languages.map((value) => ({ value, label: say(`language.${value}`) }))}
            {...form.value('language')}
          />
        </PageForm>
      </Card>
    </>
  )
}
