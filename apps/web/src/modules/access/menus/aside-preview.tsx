import { Text } from '@mantine/core'
import { asideOf } from '#domain/access/aside.ts'
import type { MenuRow } from '#domain/access/endpoints.ts'
import type { MenuItem } from '#domain/access/session-endpoints.ts'
import classes from '#web/modules/access/access.module.css'
import { MenuIcon } from '#web/shell/menu/menu-icons.tsx'
import { withoutApplicantPages, withoutStaffPages } from '#web/shell/menu/staff-menu.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = {
  menus: readonly MenuRow[]
  permissions: ReadonlySet<string>
  /** Whether the role is the applicants'; only then their screens appear. */
  applicant: boolean
  empty: string
}

/** The sidebar for these menus and permissions, by the rules of the server and the real sidebar. */
export function AsidePreview({ menus, permissions, applicant, empty }: Props) {
  const granted = asideOf(
    menus.filter(({ active }) => active),
    permissions,
  )
  const items = applicant ? withoutStaffPages(granted) : withoutApplicantPages(granted)
  return (
    <div className={classes.aside}>
      {items.length > 0 ? (
        <Entries items={items} />
      ) : (
        <Text size="sm" p="sm" c="inherit">
          {empty}
        </Text>
      )}
    </div>
  )
}

function Entries({ items }: { items: readonly MenuItem[] }) {
  const { language } = useSurroundings()
  return (
    <ul>
      {items.map((item) => (
        <li key={item.id}>
          <span className={classes.entry}>
            <MenuIcon name={item.icon} size={18} />
            {item.name[language]}
          </span>
          {item.children.length > 0 && <Entries items={item.children} />}
        </li>
      ))}
    </ul>
  )
}
