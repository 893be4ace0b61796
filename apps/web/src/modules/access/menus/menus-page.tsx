import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { ActionIcon, Anchor, Badge, Button, Group, Text, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconGripVertical,
  IconIndentDecrease,
  IconIndentIncrease,
  IconPlus,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listMenus, type MenuRow, orderMenus } from '#domain/access/endpoints.ts'
import { mustGet } from '#domain/must.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'
import type { Language } from '#entities/define/language.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import classes from '#web/modules/access/access.module.css'
import { FindField } from '#web/modules/access/find-field.tsx'
import { MenuIcon } from '#web/shell/menu/menu-icons.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { StickyBar } from '#web/ui/sticky-bar.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { AsidePreview } from './aside-preview.tsx'
import { useMenuFlaw } from './menu-flaw.ts'
import { depthOf, drop, type Move, type Place, placesOf, step } from './menu-places.ts'

/** Pixels of indentation per level. */
const levelWidthPx = 28

/** Tree of all menus, ordered by dragging or buttons, with links to their forms. */
export default function MenusPage() {
  const { t } = useTranslation('access')
  const common = useTranslation('common').t
  const title = useScreenTitle()
  const { may } = useSession()
  const queries = useQueryClient()
  const answer = useEndpoint(listMenus)
  const [order, setOrder] = useState<Place[] | null>(null)
  const [query, setQuery] = useState('')
  const menus = answer.data?.data ?? []
  const menusById = new Map(menus.map((menu) => [menu.id, menu]))
  const stored = placesOf(menus)
  const places = order ?? stored
  const save = useMutation({
    mutationFn: (to: Place[]) => sendOnce(orderMenus, { body: { from: stored, to } }),
    onSuccess: (saved) => {
      queries.setQueryData(keyOf(listMenus, {}), saved)
      setOrder(null)
      notifications.show({ message: t('menus.orderSaved'), color: 'green' })
    },
  })
  const words = searchKeyOf(query.trim())
  const matchesQuery = ({ name, path, permission }: MenuRow) =>
    [name.en, name.id, path ?? '', permission ?? ''].some((text) => searchKeyOf(text).includes(words))
  const visiblePlaces = words.length >= 2 ? places.filter(({ id }) => matchesQuery(mustGet(menusById, id))) : places
  const movable = may('settings-url-update') && words.length < 2
  const allPermissions = new Set(menus.flatMap(({ permission }) => permission ?? []))
  const preview = places.flatMap(({ id, parentId }) => {
    const menu = menusById.get(id)
    return menu ? [{ ...menu, parentId }] : []
  })

  return (
    <>
      <PageHeader
        title={title}
        count={answer.data && String(menus.length)}
        description={movable && t('menus.hint')}
        actions={
          may('settings-url-create') && (
            <Button component={Link} to="/settings/url/create" leftSection={<IconPlus size={18} aria-hidden />}>
              {t('menus.add')}
            </Button>
          )
        }
      />
      <div className={classes.layout}>
        <div>
          <Card flush>
            <FindField mx="md" mb="sm" label={t('menus.search')} value={query} onChange={setQuery} />
            {answer.isPending && <LoadingRows rows={10} />}
            {answer.isError && (
              <EmptyState title={answer.error.message}>
                <Button variant="default" onClick={() => answer.refetch()} children={common('actions.retry')} />
              </EmptyState>
            )}
            {answer.isSuccess && visiblePlaces.length === 0 && <EmptyState title={t('menus.noneFound')} />}
            <MenuTree
              places={places}
              visiblePlaces={visiblePlaces}
              menusById={menusById}
              movable={movable}
              onMove={setOrder}
            />
          </Card>
          <Failure>{save.error?.message}</Failure>
          {order && (
            <StickyBar label={t('menus.saveOrder')}>
              <Text size="sm" fw={600} flex={1} role="status">
                {t('menus.orderChanged')}
              </Text>
              <Button variant="default" onClick={() => setOrder(null)} children={t('menus.undo')} />
              <Button loading={save.isPending} onClick={() => save.mutate(order)} children={t('menus.saveOrder')} />
            </StickyBar>
          )}
        </div>
        <aside className={classes.stays} aria-label={t('menus.preview')}>
          <Text size="sm" c="dimmed" mb="xs">
            {t('menus.preview')}
          </Text>
          <AsidePreview menus={preview} permissions={allPermissions} applicant empty={t('roleMenus.empty')} />
        </aside>
      </div>
    </>
  )
}

type TreeProps = {
  places: readonly Place[]
  visiblePlaces: readonly Place[]
  menusById: ReadonlyMap<string, MenuRow>
  movable: boolean
  onMove: (places: Place[] | null) => void
}

/** Menus in order, moved by dragging or by an entry's buttons. */
function MenuTree({ places, visiblePlaces, menusById, movable, onMove }: TreeProps) {
  const { language } = useSurroundings()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const onDragEnd = ({ active, over, delta }: DragEndEvent) => {
    const target = String(over?.id ?? active.id)
    onMove(drop(places, String(active.id), target, Math.round(delta.x / levelWidthPx), menusById))
  }
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
      <SortableContext items={visiblePlaces.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <ul className={classes.tree}>
          {visiblePlaces.map(({ id }) => (
            <Entry
              key={id}
              menu={mustGet(menusById, id)}
              depth={depthOf(places, id)}
              movable={movable}
              movesOf={(move) => step(places, id, move, menusById)}
              onMove={onMove}
              language={language}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

type EntryProps = {
  menu: MenuRow
  depth: number
  movable: boolean
  movesOf: (move: Move) => Place[] | undefined
  onMove: (places: Place[]) => void
  language: Language
}

const moves = [
  ['up', IconArrowUp],
  ['down', IconArrowDown],
  ['in', IconIndentIncrease],
  ['out', IconIndentDecrease],
] as const

function Entry({ menu, depth, movable, movesOf, onMove, language }: EntryProps) {
  const { t } = useTranslation('access')
  const { may } = useSession()
  const flaw = useMenuFlaw()(menu)
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({
    id: menu.id,
    disabled: !movable,
  })
  const name = menu.name[language]
  const style = {
    '--depth': depth,
    transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
    transition,
  } as CSSProperties
  return (
    <li
      ref={setNodeRef}
      className={classes.row}
      style={style}
      data-dragging={isDragging || undefined}
      data-dimmed={!menu.active || undefined}
    >
      {movable && (
        <span className={classes.handle} {...attributes} {...listeners} aria-label={t('menus.handle', { name })}>
          <IconGripVertical size={18} aria-hidden />
        </span>
      )}
      <MenuIcon name={menu.icon} size={18} />
      <span className={classes.name}>
        {may('settings-url-update') ? (
          <Anchor component={Link} to={`/settings/url/${menu.id}`} fw={500} inherit underline="hover">
            {name}
          </Anchor>
        ) : (
          name
        )}{' '}
        <Text span size="sm" c="dimmed">
          {menu.path ?? t('menus.heading')}
        </Text>
      </span>
      {!menu.active && <Badge color="gray" variant="light" children={t('menus.inactive')} />}
      {flaw && (
        <Tooltip label={flaw} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
          <Group gap={4} c="orange.8" tabIndex={0} role="note" aria-label={flaw}>
            <IconAlertTriangle size={18} aria-hidden />
          </Group>
        </Tooltip>
      )}
      <Text size="sm" c="dimmed" visibleFrom="sm">
        {menu.roles.length > 0 ? t('menus.roles', { count: menu.roles.length }) : t('menus.noRole')}
      </Text>
      {movable && (
        <Group gap={0} wrap="nowrap">
          {moves.map(([move, Icon]) => {
            const reordered = movesOf(move)
            return (
              <ActionIcon
                key={move}
                variant="subtle"
                color="gray"
                size="md"
                aria-label={t(`menus.${move}`, { name })}
                disabled={!reordered}
                onClick={() => reordered && onMove(reordered)}
              >
                <Icon size={16} />
              </ActionIcon>
            )
          })}
        </Group>
      )}
    </li>
  )
}
