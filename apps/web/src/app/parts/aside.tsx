import { ScrollArea } from '@mantine/core'
import {
  IconChevronDown,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from '@tabler/icons-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { wholeNumber } from '#locales/format.ts'
import { useWaiting } from '#web/modules/chat/use-waiting.ts'
import { openMenuSearch } from '#web/modules/search/menu-search-store.ts'
import { contains, useMenu } from '#web/shell/menu/menu.ts'
import { MenuIcon } from '#web/shell/menu/menu-icons.tsx'
import { usePageTable } from '#web/shell/page-table.ts'
import classes from './aside.module.css'
import { Brand } from './brand.tsx'

type Tree = ReturnType<typeof useMenu>

function Branch({ item, tree, depth }: { item: MenuItem; tree: Tree; depth: number }) {
  const holdsActive = contains(item, tree.active)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [sawActive, setSawActive] = useState(holdsActive)
  if (sawActive !== holdsActive) {
    // Navigating into a branch reopens it, even if the reader had closed it.
    setSawActive(holdsActive)
    setChosen(null)
  }
  const open = chosen ?? holdsActive
  const id = `menu-${item.id}`
  return (
    <li>
      <button
        type="button"
        className={classes.entry}
        data-depth={depth}
        data-within={holdsActive || undefined}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setChosen(!open)}
      >
        <MenuIcon name={item.icon} size={depth === 0 ? 20 : 16} />
        <span className={classes.name}>{tree.nameOf(item)}</span>
        <IconChevronDown size={16} aria-hidden className={classes.chevron} />
      </button>
      <div id={id} className={classes.slide} data-open={open || undefined} inert={!open}>
        <ul className={classes.list}>
          {item.children.map((child) => (
            <Entry key={child.id} item={child} tree={tree} depth={depth + 1} />
          ))}
        </ul>
      </div>
    </li>
  )
}

type EntryProps = { item: MenuItem; tree: Tree; depth: number }

const inboxPath = '/chat/private-chat'

function Entry({ item, tree, depth }: EntryProps) {
  if (item.children.length > 0) return <Branch item={item} tree={tree} depth={depth} />
  if (!item.path) return null
  if (item.path === inboxPath) return <InboxEntry item={item} path={item.path} tree={tree} depth={depth} />
  return <Leaf item={item} path={item.path} tree={tree} depth={depth} />
}

/** The office chat, with the number of people waiting there. */
function InboxEntry(props: LeafProps) {
  const { t } = useTranslation('navigation')
  const waiting = useWaiting() ?? 0
  return (
    <Leaf {...props} {...(waiting > 0 && { badge: { count: waiting, label: t('waiting', { count: waiting }) } })} />
  )
}

type LeafProps = EntryProps & { path: string; badge?: { count: number; label: string } }

function Leaf({ item, path, tree, depth, badge }: LeafProps) {
  return (
    <li>
      <Link
        to={path}
        aria-description={badge?.label}
        className={classes.entry}
        data-depth={depth}
        aria-current={item.path === tree.active ? 'page' : undefined}
        title={tree.nameOf(item)}
      >
        <MenuIcon name={item.icon} size={depth === 0 ? 20 : 16} />
        <span className={classes.name}>{tree.nameOf(item)}</span>
        {badge && (
          <span className={classes.badge} aria-hidden="true">
            {wholeNumber(badge.count)}
          </span>
        )}
      </Link>
    </li>
  )
}

/** Opens the search on devices without keyboard or without room in the header. */
export function SearchEntry({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('navigation')
  return (
    <button
      type="button"
      className={classes.entry}
      data-depth={0}
      aria-haspopup="dialog"
      onClick={() => {
        onOpen()
        openMenuSearch()
      }}
    >
      <IconSearch size={20} aria-hidden />
      <span className={classes.name}>{t('search')}</span>
    </button>
  )
}

export function MenuTree() {
  const tree = useMenu()
  return (
    <ul className={classes.list} style={{ '--slide': `${navigationConstants.accordionSlide}ms` } as CSSProperties}>
      {tree.items.map((item) => (
        <Entry key={item.id} item={item} tree={tree} depth={0} />
      ))}
    </ul>
  )
}

/** The dark sidebar. While minimized, it widens over the content while hovered or focused. */
export function Aside({ minimized, onMinimize }: { minimized: boolean; onMinimize: (minimized: boolean) => void }) {
  const { t } = useTranslation('navigation')
  const [peeking, setPeeking] = useState(false)
  const { pathname } = useLocation()
  const { complete: isComplete } = usePageTable()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const peek = (value: boolean, waitMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPeeking(value), waitMs)
  }
  const navRef = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new page may have another entry
  useEffect(() => {
    // The branch takes this long to open.
    const opened = setTimeout(
      () => navRef.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' }),
      navigationConstants.accordionSlide + 50,
    )
    return () => clearTimeout(opened)
  }, [pathname, isComplete])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page begins with the width the reader chose
  useEffect(() => {
    clearTimeout(timer.current)
    setPeeking(false)
  }, [pathname])
  return (
    <aside
      className={classes.aside}
      data-narrow={(minimized && !peeking) || undefined}
      onMouseEnter={() => peek(true, navigationConstants.menuHoverTimeout)}
      onMouseLeave={() => peek(false, navigationConstants.menuHoverTimeout)}
      onFocus={(event) => event.target.matches(':focus-visible') && peek(true, 0)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && peek(false, 0)}
    >
      <div className={classes.top}>
        <Link to="/dashboard" className={classes.brand}>
          <Brand className={classes.name} />
        </Link>
        <button
          type="button"
          className={classes.minimize}
          onClick={() => {
            setPeeking(false)
            onMinimize(!minimized)
          }}
          aria-label={t(minimized ? 'widen' : 'minimize')}
        >
          {minimized ? <IconLayoutSidebarLeftExpand size={20} /> : <IconLayoutSidebarLeftCollapse size={20} />}
        </button>
      </div>
      <ScrollArea className={classes.scroll} type="hover" scrollbarSize={6}>
        <nav ref={navRef} aria-label={t('main')} className={classes.nav}>
          <MenuTree />
        </nav>
      </ScrollArea>
    </aside>
  )
}
