import { Button, Checkbox, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { readRoleMenus, readRolePermissions, setRoleMenus, setRolePermissions } from '#domain/access/endpoints.ts'
import { permissionNames } from '#domain/access/permissions.ts'
import type { Answer } from '#domain/endpoint.ts'
import { call } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { MenuIcon } from '#web/shell/menu-icons.tsx'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import classes from './access.module.css'
import { FindField } from './find-field.tsx'
import { AsidePreview } from './menus/aside-preview.tsx'
import { blockOf, depthOf, placesOf } from './menus/menu-places.ts'
import { RoleFrame } from './role-frame.tsx'

/** Which menus a role has, with its aside as it will be. */
export default function RoleMenusPage() {
  const { id = '' } = useParams()
  const answer = useEndpoint(readRoleMenus, { params: { id } }, { refetchOnWindowFocus: false })
  if (answer.isPending) return <LoadingRows rows={10} />
  if (!answer.data) return <RecordFailed error={answer.error} onRetry={answer.refetch} />
  const { data } = answer.data
  return (
    <RoleFrame role={data.role} part="menus">
      <MenuChoice key={`${data.role.id} ${data.role.version}`} {...data} />
    </RoleFrame>
  )
}

type Props = Answer<typeof readRoleMenus>['data']

function MenuChoice({ role, menus, chosen: stored, permissions }: Props) {
  const { t } = useTranslation('access')
  const { language } = useSurroundings()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(stored))
  const [q, setQ] = useState('')
  const held = new Set(permissions)
  const known = new Map(menus.map((menu) => [menu.id, menu]))
  const places = placesOf(menus)
  const isHeading = (id: string) => known.get(id)!.path === null
  /** Entries below a heading, or the entry itself. */
  const leavesOf = (id: string) => blockOf(places, id).filter((place) => !isHeading(place.id) || place.id === id)
  const set = (ids: readonly string[], wanted: boolean) =>
    setChosen((before) => {
      const after = new Set(before)
      for (const id of ids) {
        if (wanted) after.add(id)
        else after.delete(id)
      }
      return after
    })
  const words = q.trim().toLowerCase()
  const shown = places.filter(({ id }) => known.get(id)!.name[language].toLowerCase().includes(words))
  // A heading is there because of what is below it.
  const complete = new Set(
    [...chosen].flatMap((id) => {
      const above: string[] = []
      for (let at: string | null = id; at; at = known.get(at)?.parentId ?? null) above.push(at)
      return above
    }),
  )
  const changes =
    [...complete].filter((id) => !stored.includes(id)).length + stored.filter((id) => !complete.has(id)).length
  const form = useForm({
    call: setRoleMenus,
    params: { id: role.id },
    body: { version: role.version, chosen: [...complete] },
    done: t('roleMenus.saved'),
  })
  return (
    <div className={classes.layout}>
      <div>
        <Card flush>
          <Text size="sm" c="dimmed" px="md" pb="sm">
            {t('roleMenus.intro')}
          </Text>
          <FindField mx="md" mb="sm" label={t('menus.search')} value={q} onChange={setQ} />
          {shown.length === 0 && <EmptyState title={t('menus.noneFound')} />}
          <ul className={classes.tree}>
            {shown.map(({ id }) => {
              const menu = known.get(id)!
              const leaves = leavesOf(id).map((place) => place.id)
              const below = leaves.filter((one) => one !== id)
              const ticked = below.length > 0 ? below.filter((one) => chosen.has(one)).length : Number(chosen.has(id))
              const all = below.length > 0 ? ticked === below.length : ticked === 1
              const lacking = chosen.has(id) && menu.permission && !held.has(menu.permission) ? menu.permission : null
              return (
                <li key={id} className={classes.row} style={{ '--depth': depthOf(places, id) } as CSSProperties}>
                  <Checkbox
                    size="sm"
                    disabled={role.refusal !== null}
                    checked={all}
                    indeterminate={ticked > 0 && !all}
                    onChange={(event) => set(below.length > 0 ? below : [id], event.currentTarget.checked)}
                    label={
                      <Group gap={8} wrap="nowrap">
                        <MenuIcon name={menu.icon} size={18} />
                        {menu.name[language]}
                      </Group>
                    }
                  />
                  {lacking && role.refusal === null && <Lacking roleId={role.id} slug={lacking} />}
                </li>
              )
            })}
          </ul>
        </Card>
        <Failure>{form.unsaid}</Failure>
        {role.refusal === null && (
          <div className={classes.bar} style={{ marginTop: 12 }}>
            <Text size="sm" flex={1} role="status">
              {changes > 0 && t('roleMenus.changed', { count: changes })}
            </Text>
            <Button variant="default" disabled={changes === 0} onClick={() => setChosen(new Set(stored))}>
              {t('menus.undo')}
            </Button>
            <Button loading={form.busy} disabled={changes === 0} onClick={form.submit} children={t('roleMenus.save')} />
          </div>
        )}
      </div>
      <aside className={classes.stays} aria-label={t('roleMenus.preview')}>
        <Text size="sm" c="dimmed" mb="xs">
          {t('roleMenus.preview')}
        </Text>
        <AsidePreview
          menus={placesOf(menus).flatMap(({ id }) => (complete.has(id) ? [known.get(id)!] : []))}
          permissions={held}
          applicant={role.name === applicantRole}
          empty={t('roleMenus.empty')}
        />
      </aside>
    </div>
  )
}

/** A chosen menu stays hidden while the role lacks its permission; who may, grants it here. */
function Lacking({ roleId, slug }: { roleId: string; slug: string }) {
  const { language } = useSurroundings()
  const send = useSend(setRolePermissions)
  const { t } = useTranslation('access')
  const { may } = useSession()
  const queries = useQueryClient()
  const granting = useMutation({
    mutationFn: async () => {
      const { data } = await call(readRolePermissions, { params: { id: roleId } })
      const body = { version: data.role.version, held: [...data.held, slug] }
      return send({ params: { id: roleId }, body })
    },
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('roleMenus.granted') })
      return queries.invalidateQueries()
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  })
  const offered = may('settings-roles-permissions')
  return (
    <Group gap="xs">
      <Text size="sm" c="orange.8">
        {t('roleMenus.lacks', { permission: permissionNames.get(slug)?.[language] ?? slug })}
      </Text>
      {offered && may(slug) && (
        <Button size="compact-xs" variant="default" loading={granting.isPending} onClick={() => granting.mutate()}>
          {t('roleMenus.grant')}
        </Button>
      )}
      {offered && !may(slug) && (
        <Text size="sm" c="dimmed">
          {t('roleMenus.cannotGrant')}
        </Text>
      )}
    </Group>
  )
}
