import { Button, Code } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listPermissions, type PermissionRow } from '#domain/access/endpoints.ts'
import { permissionGroups } from '#domain/access/permissions.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

/** The catalogue of everything that can be allowed. */
export default function PermissionsPage() {
  const { t } = useTranslation('access')
  const { may } = useSession()
  const { language } = useSurroundings()
  const groups = Object.entries(permissionGroups).map(([value, label]) => ({ value, label: label[language] }))
  return (
    <ListPage<PermissionRow>
      name="permissions"
      title={useScreenTitle()}
      endpoint={listPermissions}
      defaultSort="slug"
      searchLabel={t('permissions.search')}
      rowId={({ slug }) => slug}
      rowTitle={({ slug }) => slug}
      href={({ slug }) => (may('settings-permissions-update') ? `/settings/permissions/${slug}` : undefined)}
      columns={[
        { key: 'slug', label: t('permissions.slug'), cell: ({ slug }) => <Code>{slug}</Code>, sort: true },
        { key: 'name', label: t('permissions.name'), cell: ({ name }) => name[language] },
        {
          key: 'group',
          label: t('permissions.group'),
          cell: ({ group }) => groups.find(({ value }) => value === group)?.label ?? group,
        },
        {
          key: 'builtIn',
          label: t('permissions.kind'),
          cell: ({ builtIn }) => t(builtIn ? 'permissions.builtIn' : 'permissions.own'),
        },
        { key: 'roles', label: t('permissions.roles'), cell: ({ roles }) => roles, numeric: true, sort: true },
      ]}
      filters={[
        {
          key: 'builtIn',
          label: t('permissions.kind'),
          kind: 'choice',
          quick: true,
          choices: [
            { value: 'true', label: t('permissions.builtIn') },
            { value: 'false', label: t('permissions.own') },
          ],
        },
        { key: 'group', label: t('permissions.group'), kind: 'choice', choices: groups },
      ]}
      actions={
        may('settings-permissions-create') && (
          <Button component={Link} to="/settings/permissions/create" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('permissions.add')}
          </Button>
        )
      }
    />
  )
}
