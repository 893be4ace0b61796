import { IconMenu2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { AskEntry } from '#web/modules/chat/ask-us.tsx'
import { contains, useMenu } from '#web/shell/menu/menu.ts'
import { MenuIcon } from '#web/shell/menu/menu-icons.tsx'
import classes from './bottom-bar.module.css'

/**
 * Bar at the bottom of phone screens: three menu entries, and a button for the rest. Applicants' third entry opens
 * their chat with the office.
 */
export function BottomBar({ onMenu, menuOpen }: { onMenu: () => void; menuOpen: boolean }) {
  const { t } = useTranslation('navigation')
  const { items, applicant, active, nameOf } = useMenu()
  const places = items.slice(0, applicant ? 2 : 3)
  const first = places
    .map((item): MenuItem | undefined =>
      item.path ? item : { ...item, path: item.children.find((child) => child.path)?.path ?? null },
    )
    .filter((item) => item?.path) as (MenuItem & { path: string })[]
  return (
    <nav className={classes.bar} aria-label={t('menu')}>
      {first.map((item) => (
        <Link
          key={item.id}
          to={item.path}
          className={classes.item}
          aria-current={contains(item, active) ? 'page' : undefined}
        >
          <MenuIcon name={item.icon} size={22} />
          <span>{nameOf(item)}</span>
        </Link>
      ))}
      {applicant && <AskEntry className={classes.item} />}
      <button type="button" className={classes.item} onClick={onMenu} aria-haspopup="dialog" aria-expanded={menuOpen}>
        <IconMenu2 size={22} stroke={1.7} aria-hidden />
        <span>{t('menu')}</span>
      </button>
    </nav>
  )
}
