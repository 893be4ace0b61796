import { Alert, Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { RoleRow } from '#domain/access/endpoints.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

type Part = 'details' | 'menus' | 'permissions'

/** Frame of a role's three pages: data, menus, permissions. */
export function RoleFrame({ role, part, children }: { role: RoleRow; part: Part; children: ReactNode }) {
  const { t } = useTranslation('access')
  const { may } = useSession()
  const navigate = useNavigate()
  usePageTitle(`${useScreenTitle()}: ${role.name}`)
  const pages: [Part, string, string][] = [
    ['details', `/settings/roles/${role.id}`, 'settings-roles-update'],
    ['menus', `/settings/roles/menus/${role.id}`, 'settings-roles-menus'],
    ['permissions', `/settings/roles/permissions/${role.id}`, 'settings-roles-permissions'],
  ]
  return (
    <>
      <PageHeader title={role.name} description={role.description} />
      <Tabs
        value={part}
        mb="md"
        onChange={(next) => navigate(pages.find(([name]) => name === next)![1])}
        activateTabWithKeyboard={false}
      >
        <Tabs.List>
          {pages
            .filter(([, , permission]) => may(permission))
            .map(([name]) => (
              <Tabs.Tab key={name} value={name}>
                {t(`roles.tabs.${name}`)}
              </Tabs.Tab>
            ))}
        </Tabs.List>
      </Tabs>
      {role.refusal !== null && (
        <Alert color="orange" variant="light" mb="md">
          {t('roles.notYours', { reason: role.refusal })}
        </Alert>
      )}
      {children}
    </>
  )
}
