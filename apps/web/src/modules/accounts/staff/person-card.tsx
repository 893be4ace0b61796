import { Alert, Anchor, Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { nameProblem } from '#domain/accounts/fields.ts'
import { formatPhone } from '#domain/accounts/phone.ts'
import { type AccountDetail, updateAccount } from '#domain/accounts/staff-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { useSend } from '#web/api/send.ts'
import { useSession } from '#web/app/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { FormFailure } from '../form-failure.tsx'
import { useFields } from '../use-fields.ts'
import { RoleSelect } from './role-select.tsx'
import { useAccountActions } from './use-account-actions.ts'

/** Name, role, language and whether a second factor is required. */
export function PersonCard({ account }: { account: AccountDetail }) {
  const update = useSend(updateAccount)
  const { t } = useTranslation('staff-accounts')
  const { may, user } = useSession()
  const { say, language } = useSurroundings()
  const { act } = useAccountActions(account.id)
  const [stale, setStale] = useState(false)
  const { id, version, role, refusals } = account
  const initial = {
    name: account.name,
    roleId: role.id,
    language: account.language as string,
    requireTotp: account.requireTotp,
  }
  const fields = useFields(initial, ({ name }) => ({ name: nameProblem(name) }))
  const locked = refusals.change !== null
  const changed = JSON.stringify(fields.values) !== JSON.stringify(initial)
  const send = fields.submit(async ({ language: chosen, ...values }) => {
    const body = { ...values, version, language: chosen as 'en' | 'id' }
    try {
      await act(async () => update({ params: { id }, body }), t('detail.saved'))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'stale_version')) throw error
      setStale(true)
    }
  })
  return (
    <Card title={t('detail.person')}>
      <form onSubmit={send} ref={fields.form} noValidate>
        <Stack gap="md">
          <TextInput label={t('detail.name')} disabled={locked} autoComplete="off" {...fields.text('name')} />
          <Facts
            facts={[
              [t('detail.email'), account.email],
              [t('detail.phone'), account.phone ? formatPhone(account.phone) : '—'],
              [t('detail.facts.since'), dateTime(account.createdAt, language)],
              ...(account.applicant
                ? [[t('detail.rowScope'), t('detail.rowScopeOwn')] as [string, string]]
                : [
                    [
                      t('detail.rowScope'),
                      role.limits.length > 0 ? role.limits.join(', ') : t('detail.rowScopeAll'),
                    ] as [string, string],
                  ]),
            ]}
          />
          <RoleSelect
            value={fields.values.roleId}
            onChange={(chosen) => fields.set('roleId', chosen)}
            error={fields.text('roleId').error}
            offered={({ active }) => active}
            disabled={locked || user?.id === id}
          />
          {may('settings-roles-permissions') && (
            <Anchor component={Link} to={`/settings/roles/permissions/${role.id}`} size="sm">
              {t('detail.roleLink')}
            </Anchor>
          )}
          <Checkbox
            label={t('detail.requireTotp')}
            description={role.requireTotp ? t('detail.requiredByRole', { role: role.name }) : undefined}
            disabled={locked}
            {...fields.box('requireTotp')}
          />
          <div>
            <Text fw={500} size="sm" id="account-language">
              {t('detail.language')}
            </Text>
            <SegmentedControl
              aria-labelledby="account-language"
              disabled={locked}
              value={fields.values.language}
              onChange={(value) => fields.set('language', value)}
              data={(['id', 'en'] as const).map((value) => ({ value, label: say(`language.${value}`) }))}
            />
          </div>
          {stale && (
            <Alert variant="light" color="orange" role="alert">
              {t('detail.stale')}
            </Alert>
          )}
          <FormFailure message={fields.failure?.message} />
          <Group>
            <Button type="submit" loading={fields.busy} disabled={locked || !changed}>
              {t('detail.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
