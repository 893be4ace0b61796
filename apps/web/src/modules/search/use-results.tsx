import { useDebouncedValue } from '@mantine/hooks'
import {
  IconBuilding,
  IconCertificate,
  IconCreditCard,
  IconFileInvoice,
  IconHeartHandshake,
  IconUser,
  IconUserCog,
} from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { type SearchHit, searchEverything } from '#domain/search/endpoints.ts'
import type { SearchKind } from '#domain/search/kinds.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { MenuIcon } from '#web/shell/menu/menu-icons.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import type { Tone } from '#web/ui/text/status-dot.tsx'
import { pathOfHit } from './paths.ts'
import { type Opened, useRecent } from './recent.ts'

export type Item = {
  key: string
  title: string
  hint: string
  icon: ReactNode
  status: { tone: Tone; label: string } | null
  path: string
  opened: Opened
}
export type Group = { key: string; label: string; items: Item[] }

/**
 * Milliseconds without typing before a request: fast typists cause one request, slow ones get answers between letters.
 */
const typingPauseMs = 120
const mostScreens = 5

const icons: Record<SearchKind, ReactNode> = {
  registration: <IconUser size={18} aria-hidden />,
  student: <IconCertificate size={18} aria-hidden />,
  bill: <IconFileInvoice size={18} aria-hidden />,
  virtualAccount: <IconCreditCard size={18} aria-hidden />,
  school: <IconBuilding size={18} aria-hidden />,
  affiliate: <IconHeartHandshake size={18} aria-hidden />,
  account: <IconUserCog size={18} aria-hidden />,
}

const tones: Record<string, Tone> = {
  enrolled: 'done',
  guaranteed: 'done',
  waived: 'done',
  partly_paid: 'progress',
  paid: 'progress',
  verified: 'progress',
  decided: 'progress',
  confirmed: 'progress',
  proposed: 'attention',
  withdrawn: 'stopped',
  cancelled: 'stopped',
  expired: 'stopped',
  replaced: 'stopped',
}
/** Normal statuses, which are not shown. */
const silentStatuses: Partial<Record<SearchKind, string>> = {
  school: 'verified',
  affiliate: 'active',
  account: 'active',
}

/** Search results: screens at once, hits when the server answers; without a query, the last opened items. */
export function useResults(query: string, isOpen: boolean) {
  const { t } = useTranslation(['search', 'admissions'])
  const { items: menus, nameOf } = useMenu()
  const { may } = useSession()
  const { recent, remember, forget } = useRecent()
  const typedText = query.trim()
  const isShort = typedText.length < navigationConstants.searchMinimumLength
  const [settledText] = useDebouncedValue(typedText, typingPauseMs)
  const enabled = isOpen && !isShort && settledText.length >= navigationConstants.searchMinimumLength
  const found = useEndpoint(
    searchEverything,
    { query: { q: settledText } },
    { enabled, staleTime: 30_000, placeholderData: keepPreviousData },
  )

  const screens: (Item & { words: string })[] = []
  const visit = (item: MenuItem, above: string[]) => {
    if (item.path)
      screens.push({
        key: item.id,
        title: nameOf(item),
        hint: above.join(' / '),
        icon: <MenuIcon name={item.icon} size={18} />,
        status: null,
        path: item.path,
        opened: { kind: 'menu', path: item.path },
        words: searchKeyOf(` ${nameOf(item)} ${item.name.en} ${item.name.id} ${above.join(' ')}`),
      })
    for (const child of item.children) visit(child, [...above, nameOf(item)])
  }
  for (const item of menus) visit(item, [])

  const statusOf = (kind: SearchKind, status: string | null) => {
    if (!status || silentStatuses[kind] === status) return null
    const ofPerson = kind === 'registration' || kind === 'student'
    const label = t(ofPerson ? `admissions:status.${status}` : `status.${status}`, { defaultValue: status })
    // A paid registration is still in progress; a paid bill is done.
    const tone = !ofPerson && status === 'paid' ? 'done' : (tones[status] ?? 'waiting')
    return { tone, label }
  }
  const itemOf = (kind: SearchKind, hit: SearchHit): Item => ({
    key: `${kind}:${hit.id}`,
    title: hit.title,
    hint: [hit.code, hit.note].filter(Boolean).join(' · '),
    icon: icons[kind],
    status: statusOf(kind, hit.status),
    path: pathOfHit(kind, hit, may),
    opened: { kind, hit },
  })

  const groups: Group[] = []
  if (isShort) {
    const items = recent.flatMap((opened): Item[] => {
      if (opened.kind === 'menu') return screens.filter(({ path }) => path === opened.path).slice(0, 1)
      // The stored title stays right; the stored status may be outdated.
      return [{ ...itemOf(opened.kind, opened.hit), status: null }]
    })
    if (items.length > 0) groups.push({ key: 'recent', label: t('groups.recent'), items })
  } else {
    const words = searchKeyOf(typedText).split(/\s+/)
    const starting = (item: { title: string }) => (searchKeyOf(item.title).startsWith(words[0]!) ? 0 : 1)
    const matchingScreens = screens
      .filter((item) => words.every((word) => item.words.includes(` ${word}`)))
      .sort((a, b) => starting(a) - starting(b))
      .slice(0, mostScreens)
    if (matchingScreens.length > 0) groups.push({ key: 'menu', label: t('groups.menu'), items: matchingScreens })
    if (enabled)
      for (const { kind, hits } of found.data?.data ?? [])
        groups.push({ key: kind, label: t(`groups.${kind}`), items: hits.map((hit) => itemOf(kind, hit)) })
  }
  return {
    groups,
    short: isShort,
    /** The results on screen do not belong to the current query yet. */
    searching: !isShort && (found.isFetching || settledText !== typedText),
    failed: !isShort && found.isError && !found.isFetching,
    retry: () => void found.refetch(),
    remember,
    forget,
  }
}
