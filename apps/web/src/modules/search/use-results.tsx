import { useDebouncedValue } from '@mantine/hooks'
import {
  IconBuilding,
  IconCalendar,
  IconCash,
  IconCertificate,
  IconCreditCard,
  IconFileInvoice,
  IconHeartHandshake,
  IconMail,
  IconSchool,
  IconUser,
  IconUserCog,
} from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { type SearchHit, searchEverything } from '#domain/search/endpoints.ts'
import type { SearchKind } from '#domain/search/kinds.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'
import type { Tone } from '#web/ui/text/status-dot.tsx'
import { matchOf } from './match.ts'
import { pathOfHit } from './paths.ts'
import { useRecent } from './recent.ts'
import { type Item, useScreens } from './use-screens.tsx'

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
  payment: <IconCash size={18} aria-hidden />,
  letter: <IconMail size={18} aria-hidden />,
  programme: <IconSchool size={18} aria-hidden />,
  wave: <IconCalendar size={18} aria-hidden />,
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
  payment: 'allocated',
  letter: 'valid',
  programme: 'active',
  wave: 'active',
  school: 'verified',
  affiliate: 'active',
  account: 'active',
}

/** Search results: screens at once, hits when the server answers; without a query, the last opened items. */
export function useResults(query: string, isOpen: boolean) {
  const { t } = useTranslation(['search', 'admissions'])
  const { may } = useSession()
  const { screens, actions } = useScreens()
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
      if (opened.kind === 'menu') return [...screens, ...actions].filter(({ path }) => path === opened.path).slice(0, 1)
      // The stored title stays right; the stored status may be outdated.
      return [{ ...itemOf(opened.kind, opened.hit), status: null }]
    })
    if (items.length > 0) groups.push({ key: 'recent', label: t('groups.recent'), items })
  } else {
    const isRecent = ({ path }: Item) => recent.some((opened) => opened.kind === 'menu' && opened.path === path)
    const rankOf = (item: Item) =>
      (isRecent(item) ? 0 : 2) + (matchOf(typedText, ` ${searchKeyOf(item.title)}`) ? 0 : 1)
    const addScreens = (match: 'exact' | 'typo') => {
      for (const [key, all] of [
        ['menu', screens],
        ['action', actions],
      ] as const) {
        const items = all
          .filter((item) => matchOf(typedText, item.words) === match)
          .sort((one, other) => rankOf(one) - rankOf(other))
          .slice(0, mostScreens)
        if (items.length > 0 && !groups.some((group) => group.key === key))
          groups.push({ key, label: t(`groups.${key}`), items })
      }
    }
    addScreens('exact')
    // Until the answer to these words arrives, those of the hits before that have the words too.
    const isAnswered = settledText === typedText && !found.isPlaceholderData
    if (enabled)
      for (const { kind, hits } of found.data?.data ?? []) {
        const items = hits.map((hit) => itemOf(kind, hit))
        const matchingItems = isAnswered
          ? items
          : items.filter(({ title, hint }) => matchOf(typedText, searchKeyOf(` ${title} ${hint}`)) === 'exact')
        if (matchingItems.length > 0) groups.push({ key: kind, label: t(`groups.${kind}`), items: matchingItems })
      }
    // Below the people and numbers that have the word as it was typed.
    addScreens('typo')
    const named = searchKeyOf(typedText).replaceAll(' ', '')
    const isNamed = ({ items }: Group) =>
      items.some(({ opened }) =>
        opened.kind === 'menu'
          ? false
          : [opened.hit.title, opened.hit.code].some((text) => text && searchKeyOf(text).replaceAll(' ', '') === named),
      )
    groups.sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
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
