import { Button, Checkbox, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { readRoleMenus, readRolePermissions, setRoleMenus, setRolePermissions } from '#domain/access/endpoints.ts'
import { permissionNames } from '#domain/access/permissions.ts'
import { effectivePermissions } from '#domain/access/whole-view.ts'
import type { Answer } from '#domain/endpoint.ts'
import { mustGet } from '#domain/must.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { call } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { MenuIcon } from '#web/shell/menu/menu-icons.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { StickyBar } from '#web/ui/sticky-bar.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './access.module.css'
import { FindField } from './find-field.tsx'
import { AsidePreview } from './menus/aside-preview.tsx'
import { blockOf, depthOf, placesOf } from './menus/menu-places.ts'
import { RoleFrame } from './role-frame.tsx'

/** Selects a role's menus beside a preview of its sidebar. */
export default function RoleMenusPage() {
  const { id = '' } = useParams()
  const answer = useEndpoint(readRoleMenus, { params: { id } }, { refetchOnWindowFocus: false })
  if (!answer.data) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={10} />
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
  const [query, setQuery] = useState('')
  const menusById = new Map(menus.map((menu) => [menu.id, menu]))
  const places = placesOf(menus)
  const isHeading = (id: string) => mustGet(menusById, id).path === null
  /** Entries below a heading that are not headings themselves. */
  const leavesOf = (headingId: string) =>
    blockOf(places, headingId).flatMap(({ id }) => (isHeading(id) || id === headingId ? [] : [id]))
  const set = (ids: readonly string[], isGranted: boolean) =>
    setChosen((before) => {
      const after = new Set(before)
      for (const id of ids) {
        if (isGranted) after.add(id)
        else after.delete(id)
      }
      return after
    })
  const words = searchKeyOf(query.trim())
  const visiblePlaces = places.filter(({ id }) => searchKeyOf(mustGet(menusById, id).name[language]).includes(words))
  // Headings are not chosen; they appear with their entries.
  const idsWithHeadings = new Set(
    [...chosen].flatMap((id) => {
      const withAncestors: string[] = []
      for (let ancestorId: string | null = id; ancestorId; ancestorId = menusById.get(ancestorId)?.parentId ?? null)
        withAncestors.push(ancestorId)
      return withAncestors
    }),
  )
  const changes =
    [...idsWithHeadings].filter((id) => !stored.includes(id)).length +
    stored.filter((id) => !idsWithHeadings.has(id)).length
  const form = useForm({
    call: setRoleMenus,
    params: { id: role.id },
    body: { version: role.version, chosen: [...idsWithHeadings] },
    done: t('roleMenus.saved'),
  })
  return (
    <div className={classes.layout}>
      <div>
        <Card flush>
          <Text size="sm" c="dimmed" px="md" pb="sm">
            {t('roleMenus.intro')}
          </Text>
          <FindField mx="md" mb="sm" label={t('menus.search')} value={query} onChange={setQuery} />
          {visiblePlaces.length === 0 && <EmptyState title={t('menus.noneFound')} />}
          <ul className={classes.tree}>
            {visiblePlaces.map(({ id }) => (
              <MenuChoiceRow
                key={id}
                menu={mustGet(menusById, id)}
                depth={depthOf(places, id)}
                leafIds={leavesOf(id)}
                chosen={chosen}
                role={role}
                permissions={permissions}
                onChoose={set}
              />
            ))}
          </ul>
        </Card>
        <Failure>{form.formError}</Failure>
        {role.refusal === null && (
          <StickyBar>
            <Text size="sm" flex={1} role="status">
              {changes > 0 && t('roleMenus.changed', { count: changes })}
            </Text>
            <Button variant="default" disabled={changes === 0} onClick={() => setChosen(new Set(stored))}>
              {t('menus.undo')}
            </Button>
            <Button loading={form.busy} disabled={changes === 0} onClick={form.submit} children={t('roleMenus.save')} />
          </StickyBar>
        )}
      </div>
      <aside className={classes.stays} aria-label={t('roleMenus.preview')}>
        <Text size="sm" c="dimmed" mb="xs">
          {t('roleMenus.preview')}
        </Text>
        <AsidePreview
          menus={placesOf(menus).flatMap(({ id }) => (idsWithHeadings.has(id) ? [mustGet(menusById, id)] : []))}
          permissions={effectivePermissions(permissions, role.limited)}
          applicant={role.name === applicantRole}
          empty={t('roleMenus.empty')}
        />
      </aside>
    </div>
  )
}

type RowProps = Pick<Props, 'role' | 'permissions'> & {
  menu: Props['menus'][number]
  depth: number
  /** Entries below a heading; empty for an entry. */
  leafIds: readonly string[]
  chosen: ReadonlySet<string>
  onChoose: (ids: readonly string[], isGranted: boolean) => void
}

/** A menu with its check box; a heading's box covers all entries below it. */
function MenuChoiceRow({ menu, depth, leafIds, chosen, role, permissions, onChoose }: RowProps) {
  const { language } = useSurroundings()
  const ids = leafIds.length > 0 ? leafIds : [menu.id]
  const chosenCount = ids.filter((id) => chosen.has(id)).length
  const isComplete = chosenCount === ids.length
  const lacking =
    chosen.has(menu.id) && menu.permission && !permissions.includes(menu.permission) ? menu.permission : null
  return (
    <li className={classes.row} style={{ '--depth': depth } as CSSProperties}>
      <Checkbox
        size="sm"
        disabled={role.refusal !== null}
        checked={isComplete}
        indeterminate={chosenCount > 0 && !isComplete}
        onChange={(event) => onChoose(ids, event.currentTarget.checked)}
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
}

/**
 * A chosen menu stays hidden while the role lacks its permission; readers who may change permissions can grant it here.
 */
function Lacking({ roleId, slug }: { roleId: string; slug: string }) {
  const { language } = useSurroundings()
  const { t } = useTranslation('access')
  const { may } = useSession()
  const queries = useQueryClient()
  const granting = useMutation({
    mutationFn: async () => {
      const { data } = await call(readRolePermissions, { params: { id: roleId } })
      const body = { version: data.role.version, held: [...data.held, slug] }
      return sendOnce(setRolePermissions, { params: { id: roleId }, body })
    },
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('roleMenus.granted') })
      return queries.invalidateQueries()
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  })
  const mayGrant = may('settings-roles-permissions')
  return (
    <Group gap="xs">
      <Text size="sm" c="orange.8">
        {t('roleMenus.lacks', { permission: permissionNames.get(slug)?.[language] ?? slug })}
      </Text>
      {mayGrant && may(slug) && (
        <Button size="compact-xs" variant="default" loading={granting.isPending} onClick={() => granting.mutate()}>
          {t('roleMenus.grant')}
        </Button>
      )}
      {mayGrant && !may(slug) && (
        <Text size="sm" c="dimmed">
          {t('roleMenus.cannotGrant')}
        </Text>
      )}
    </Group>
  )
}
