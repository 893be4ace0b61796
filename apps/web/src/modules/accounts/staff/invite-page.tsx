import { Alert, Anchor, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { emailProblem, nameProblem } from '#domain/accounts/fields.ts'
import { inviteAccount, listAccounts } from '#domain/accounts/staff-endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useSession } from '#web/app/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { FormFailure } from '../form-failure.tsx'
import { useFields } from '../use-fields.ts'
import { RoleSelect } from './role-select.tsx'

/** Invites a member of staff by e-mail. */
export default function InvitePage() {
  const sendInviteAccount = useSend(inviteAccount)
  const { t } = useTranslation('staff-accounts')
  const { say } = useSurroundings()
  const { may } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const fields = useFields({ name: '', email: '', roleId: '', language: 'id' }, ({ name, email, roleId }) => ({
    name: nameProblem(name),
    email: emailProblem(email),
    roleId: roleId === '' ? 'field_required' : null,
  }))
  const send = fields.submit(async ({ language, ...values }) => {
    const body = { ...values, language: language as 'en' | 'id' }
    const { data } = await sendInviteAccount({ body })
    notifications.show({ color: 'green', message: t('create.sent', { email: data.email }) })
    void queries.invalidateQueries({ queryKey: keyOf(listAccounts) })
    navigate(may('settings-accounts-update') ? `/settings/accounts/${data.id}` : '/settings/accounts')
  })
  const exists = fields.refusal?.errors.email && emailProblem(fields.values.email) === null
  return (
    <>
      <PageHeader title={t('create.title')} />
      <Card>
        <form onSubmit={send} ref={fields.form} noValidate>
          <Stack gap="md" maw={560}>
            <Text c="dimmed">{t('create.lead')}</Text>
            <TextInput label={t('create.name')} autoComplete="off" {...fields.text('name')} />
            <TextInput
              label={t('create.email')}
              type="email"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...fields.text('email')}
            />
            {exists && (
              <Alert variant="light" color="blue">
                <Anchor component={Link} to={`/settings/accounts?q=${encodeURIComponent(fields.values.email.trim())}`}>
                  {t('create.openExisting')}
                </Anchor>
              </Alert>
            )}
            <RoleSelect
              value={fields.values.roleId || null}
              onChange={(id) => fields.set('roleId', id)}
              error={fields.text('roleId').error}
              offered={({ applicant, active }) => !applicant && active}
            />
            <div>
              <Text fw={500} size="sm" id="invite-language">
                {t('create.language')}
              </Text>
              <SegmentedControl
                aria-labelledby="invite-language"
                value={fields.values.language}
                onChange={(value) => fields.set('language', value)}
                data={(['id', 'en'] as const).map((value) => ({ value, label: say(`language.${value}`) }))}
              />
            </div>
            <FormFailure message={fields.failure?.message} />
            <Group>
              <Button type="submit" loading={fields.busy}>
                {t('create.send')}
              </Button>
              <Button component={Link} to="/settings/accounts" variant="default">
                {say('actions.cancel')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
    </>
  )
}
