import { Button, Select, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconBrandWhatsapp, IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { universityCalendar } from '#domain/calendar.ts'
import { chatBoxes, chatTeams } from '#domain/chat/chat.ts'
import type { ConversationRow } from '#domain/chat/lists.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed, Missing } from '#web/ui/states/missing.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import classes from './inbox.module.css'
import { hasOrders, type InboxAddress, inboxOrders, searchWith, useConversationRows } from './use-inbox.ts'

const searchAfterMs = 300

export function InboxList({ address, waiting }: { address: InboxAddress; waiting: number }) {
  const { t } = useTranslation(['inbox', 'chat'])
  const { box, team, sort, openId, change } = address
  const rows = useConversationRows(address)
  const [typed, setTyped] = useState(address.q)
  const search = useDebouncedCallback((q: string) => change({ q }, { replace: true }), searchAfterMs)
  const found = rows.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section className={classes.listColumn} aria-label={t('title')}>
      <div className={classes.filters}>
        <nav aria-label={t('filter.box')} className={classes.boxes}>
          {chatBoxes.map((name) => (
            <BoxLink key={name} name={name} isCurrent={name === box}>
              {t(`box.${name}`)}
              {name === 'waiting' && waiting > 0 && <span className={classes.count}>{waiting}</span>}
            </BoxLink>
          ))}
        </nav>
        <div className={classes.filterFields}>
          <TextInput
            type="search"
            size="sm"
            aria-label={t('search')}
            placeholder={t('search')}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              search(event.currentTarget.value)
            }}
          />
          <Select
            size="sm"
            aria-label={t('filter.team')}
            placeholder={t('allTeams')}
            clearable
            data={chatTeams.map((value) => ({ value, label: t(`chat:team.${value}`) }))}
            value={team}
            onChange={(value) => change({ team: value })}
          />
          {hasOrders(box) && (
            <Select
              className={classes.order}
              size="sm"
              aria-label={t('order.label')}
              allowDeselect={false}
              data={inboxOrders.map((value) => ({ value, label: t(`order.${value}`) }))}
              value={sort}
              onChange={(value) => change({ sort: value })}
            />
          )}
        </div>
      </div>
      <div className={classes.rows}>
        {!rows.data ? (
          <LoadingOrFailed error={rows.error} onRetry={rows.refetch} rows={6} height={64} />
        ) : (
          <>
            <Missing error={rows.error} onRetry={rows.refetch} />
            {found.length === 0 && <EmptyState title={t(`emptyBox.${box}`)} />}
            <ul>
              {found.map((row) => (
                <Row key={row.id} row={row} isOpen={row.id === openId} />
              ))}
            </ul>
            {rows.hasNextPage && (
              <Button
                variant="default"
                fullWidth
                loading={rows.isFetchingNextPage}
                onClick={() => void rows.fetchNextPage()}
              >
                {t('more')}
              </Button>
            )}
          </>
        )}
      </div>
    </section>
  )
}

function useAddressWith(changes: Record<string, string | null>) {
  const [search] = useSearchParams()
  return `?${searchWith(search, changes)}`
}

function BoxLink({ name, isCurrent, children }: { name: string; isCurrent: boolean; children: React.ReactNode }) {
  const to = useAddressWith({ box: name, sort: null })
  return (
    <Link to={to} className={classes.box} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </Link>
  )
}

function Row({ row, isOpen }: { row: ConversationRow; isOpen: boolean }) {
  const { t } = useTranslation(['inbox', 'chat'])
  const to = useAddressWith({ c: row.id, facts: null })
  const { name, code, team, assignee, waitingSince, dueAt, lastMessageAt, lastText, lastKind, unread, whatsapp } = row
  const isLate = dueAt !== null && new Date(dueAt) < new Date()
  const at = waitingSince ?? lastMessageAt
  return (
    <li>
      <Link
        to={to}
        className={classes.row}
        aria-current={isOpen ? 'true' : undefined}
        data-unread={unread > 0 || undefined}
      >
        <span className={classes.rowHead}>
          <span className={classes.rowName}>
            {name}
            {whatsapp && <IconBrandWhatsapp size="1em" role="img" aria-label="WhatsApp" />}
          </span>
          {at && <Moment value={at} />}
        </span>
        {lastText ? (
          <span className={classes.rowText}>{lastText}</span>
        ) : (
          lastKind && (
            <span className={classes.rowText}>
              {lastKind !== 'unsupported' && <IconPaperclip size="1em" aria-hidden />} {t(`preview.${lastKind}`)}
            </span>
          )
        )}
        <span className={classes.rowFoot}>
          <span>
            {[code, t(`chat:team.${team}`), assignee].filter(Boolean).join(' · ')}
            {isLate && <strong className={classes.late}> · {t('late')}</strong>}
          </span>
          {unread > 0 && (
            <span className={classes.unread}>
              {unread > 99 ? '99+' : unread}
              <VisuallyHidden> {t('column.unread')}</VisuallyHidden>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

function Moment({ value }: { value: string }) {
  const { dayOf } = universityCalendar()
  return <DateText value={value} as={dayOf(new Date(value)) === dayOf(new Date()) ? 'time' : 'short'} />
}
