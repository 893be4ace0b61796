import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listRoles } from '#domain/access/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

export default function RolesPage() {
  const { t } = useTranslation('access')
  const { may } = useSession()
  return (
    <DataList
      list={listRoles}
      title={useScreenTitle()}
      searchLabel={t('roles.search')}
      rowTitle={({ name }) => name}
      href={({ id }) => (may('settings-roles-update') ? `/settings/roles/${id}` : undefined)}
      dimmed={({ active }) => !active}
      cells={{
        active: ({ active }) => <StatusDot tone={active ? 'done' : 'waiting'} label={t(`roles.activity.${active}`)} />,
      }}
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
