import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listRoles, type RoleRow } from '#domain/access/endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

/** Roles, with how many people hold each. */
export default function RolesPage() {
  const { t } = useTranslation('access')
  const { may } = useSession()
  const { language } = useSurroundings()
  const count = (key: 'holders' | 'permissions' | 'menus') => (row: RoleRow) => wholeNumber(row[key])
  return (
    <ListPage<RoleRow>
      name="roles"
      title={useScreenTitle()}
      endpoint={listRoles}
      defaultSort="name"
      searchLabel={t('roles.search')}
      rowId={({ id }) => id}
      rowTitle={({ name }) => name}
      href={({ id }) => (may('settings-roles-update') ? `/settings/roles/${id}` : undefined)}
      dimmed={({ active }) => !active}
      columns={[
        { key: 'name', label: t('roles.name'), cell: ({ name }) => name, sort: true },
        { key: 'description', label: t('roles.description'), cell: ({ description }) => description ?? '—' },
        { key: 'holders', label: t('roles.holders'), cell: count('holders'), numeric: true, sort: true },
        { key: 'permissions', label: t('roles.permissionCount'), cell: count('permissions'), numeric: true },
        { key: 'menus', label: t('roles.menuCount'), cell: count('menus'), numeric: true },
        {
          key: 'scope',
          label: t('roles.scope'),
          cell: ({ limited }) => t(limited ? 'roles.limited' : 'roles.everything'),
        },
        {
          key: 'active',
          label: t('roles.status'),
          cell: ({ active }) => (
            <StatusDot tone={active ? 'done' : 'waiting'} label={t(active ? 'roles.active' : 'roles.inactive')} />
          ),
        },
        {
          key: 'updatedAt',
          label: t('roles.updated'),
          cell: ({ updatedAt }) => dateTime(updatedAt, language),
          sort: true,
          hidden: true,
        },
      ]}
      filters={[
        {
          key: 'active',
          label: t('roles.status'),
          kind: 'choice',
          quick: true,
          choices: [
            { value: 'true', label: t('roles.active') },
            { value: 'false', label: t('roles.inactive') },
          ],
        },
        { key: 'limited', label: t('roles.limitedFilter'), kind: 'boolean' },
      ]}
      actions={
        may('settings-roles-create') && (
          <Button component={Link} to="/settings/roles/create" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('roles.add')}
          </Button>
        )
      }
    />
  )
}
