import { Button, Stack, Text } from '@mantine/core'
import { IconMailPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listAccounts } from '#domain/accounts/lists.ts'
import { formatPhone } from '#domain/accounts/phone.ts'
import { type AccountRow, listRoleChoices } from '#domain/accounts/staff-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useAccountRowActions } from './account-row-actions.tsx'
import { StandingDot, TwoFactorDot } from './standing.tsx'

export default function AccountsPage() {
  const { t } = useTranslation('staff-accounts')
  const { may } = useSession()
  const { language } = useSurroundings()
  const { data: roles } = useEndpoint(listRoleChoices)
  const mayChange = may('settings-accounts-update')
  const time = (value: string | null) => (value ? dateTime(value, language) : t('never'))
  const phone = (row: AccountRow) => (row.phone ? formatPhone(row.phone) : '—')
  return (
    <DataList
      list={listAccounts}
      title={t('title')}
      searchLabel={t('searchLabel')}
      rowTitle={({ name }) => name}
      href={({ id }) => (mayChange ? `/settings/accounts/${id}` : undefined)}
      dimmed={({ active }) => !active}
      empty={{ title: t('emptyTitle') }}
      cells={{
        role: ({ role }) => role.name,
        status: (row) => <StandingDot account={row} />,
        twoFactor: (row) => <TwoFactorDot state={row.twoFactor} />,
        phone,
        emailVerified: (row) => t(row.emailVerified ? 'emailState.confirmed' : 'emailState.unconfirmed'),
      }}
      controls={{
        roleId: { kind: 'choice', choices: (roles?.data ?? []).map(({ id, name }) => ({ value: id, label: name })) },
        active: {
          kind: 'choice',
          choices: [
            { value: 'true', label: t('status.active') },
            { value: 'false', label: t('status.inactive') },
          ],
        },
      }}
      preview={(row) => (
        <Stack gap="md">
          <Facts
            facts={[
              [t('columns.status'), <StandingDot key="status" account={row} />],
              [t('columns.role'), row.role.name],
              [t('columns.email'), row.email],
              [t('columns.phone'), phone(row)],
              [t('columns.twoFactor'), <TwoFactorDot key="factor" state={row.twoFactor} />],
              [t('columns.lastSignedInAt'), time(row.lastSignedInAt)],
              [t('columns.createdAt'), time(row.createdAt)],
            ]}
          />
          {row.applicant && !mayChange && (
            <Text size="sm" c="dimmed">
              {t('masked')}
            </Text>
          )}
        </Stack>
      )}
      rowActions={useAccountRowActions()}
      actions={
        may('settings-accounts-create') && (
          <Button component={Link} to="/settings/accounts/create" leftSection={<IconMailPlus size={18} aria-hidden />}>
            {t('invite')}
          </Button>
        )
      }
    />
  )
}
