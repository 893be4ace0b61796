import {
  Button,
  CloseButton,
  Group,
  Highlight,
  Kbd,
  Loader,
  Modal,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { useSpotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { menuSearch, menuSearchStore } from './menu-search-store.ts'
import classes from './search-dialog.module.css'
import { type Group as Found, useResults } from './use-results.tsx'
import type { Item } from './use-screens.tsx'

export type SearchDialogProps = { query: string; onQuery: (query: string) => void }

/** Searches all screens, people, schools and numbers the reader may see. */
export default function SearchDialog({ query, onQuery }: SearchDialogProps) {
  const { t } = useTranslation('search')
  const { opened } = useSpotlight(menuSearchStore)
  const navigate = useNavigate()
  const { applicant } = useMenu()
  const results = useResults(query, opened)
  const { groups, short, searching, remember } = results
  const items = groups.flatMap((group) => group.items)
  const list = useId()
  const optionId = (index: number) => `${list}-${index}`
  const open = ({ path, opened }: Item) => {
    remember(opened)
    menuSearch.close()
    navigate(path)
  }
  const { currentIndex, setChosenIndex, box, onKeyDown } = useChosenOption(items, open)

  return (
    <Modal
      opened={opened}
      onClose={menuSearch.close}
      withCloseButton={false}
      size={640}
      yOffset="10dvh"
      padding={0}
      classNames={{ content: classes.content, body: classes.body, inner: classes.inner }}
      attributes={{ content: { 'aria-label': t('title') } }}
      transitionProps={{ onExited: () => onQuery('') }}
    >
      <TextInput
        data-autofocus
        size="lg"
        variant="unstyled"
        classNames={{ root: classes.field, input: classes.input }}
        value={query}
        onChange={(event) => {
          onQuery(event.currentTarget.value)
          setChosenIndex(0)
        }}
        onKeyDown={onKeyDown}
        placeholder={t(applicant ? 'placeholderApplicant' : 'placeholder')}
        aria-label={t('title')}
        role="combobox"
        aria-expanded={items.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={items.length > 0 ? optionId(currentIndex) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        leftSection={<IconSearch size={20} aria-hidden />}
        rightSection={
          searching ? (
            <Loader size="xs" aria-hidden />
          ) : (
            <CloseButton aria-label={t('keys.close')} onClick={menuSearch.close} />
          )
        }
      />
      <div className={classes.results} ref={box}>
        <div
          id={list}
          role="listbox"
          aria-label={t('title')}
          aria-busy={searching}
          tabIndex={items.length > 0 ? 0 : -1}
          aria-activedescendant={items.length > 0 ? optionId(currentIndex) : undefined}
          onKeyDown={onKeyDown}
        >
          <Groups
            groups={groups}
            query={short ? '' : query}
            currentIndex={currentIndex}
            optionId={optionId}
            onHover={setChosenIndex}
            onOpen={open}
          />
        </div>
        <Messages results={results} query={query} count={items.length} />
      </div>
      <Foot status={!short && !searching && t('results', { count: items.length })} />
    </Modal>
  )
}

/** The option selected by the arrow keys, kept in view; Enter opens it. */
function useChosenOption(items: readonly Item[], open: (item: Item) => void) {
  const [chosenIndex, setChosenIndex] = useState(0)
  const currentIndex = Math.min(chosenIndex, items.length - 1)
  const choose = (index: number) => setChosenIndex((index + items.length) % items.length)

  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || items.length === 0) return
    const moves: Record<string, () => void> = {
      ArrowDown: () => choose(currentIndex + 1),
      ArrowUp: () => choose(currentIndex - 1),
      Enter: () => open(items[currentIndex]!),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  return { currentIndex, setChosenIndex, box, onKeyDown }
}

type MessagesProps = { results: ReturnType<typeof useResults>; query: string; count: number }

/** Text below the results: a hint for a short query, a failure, or that nothing was found. */
function Messages({ results: { short, searching, failed, retry, forget }, query, count }: MessagesProps) {
  const { t } = useTranslation('search')
  const { applicant } = useMenu()
  return (
    <>
      {short && count > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          mx={12}
          my={4}
          onClick={forget}
          children={t('forgetRecent')}
        />
      )}
      {short && (
        <Text size="sm" c="dimmed" className={classes.message}>
          {t('hint', { count: navigationConstants.searchMinimumLength })} {!applicant && t('hintStaff')}
        </Text>
      )}
      {failed && (
        <Group className={classes.message} justify="space-between">
          <Text size="sm">{t('failed')}</Text>
          <Button size="compact-sm" variant="default" onClick={retry} children={t('retry')} />
        </Group>
      )}
      {!short && !failed && count === 0 && (
        <div className={classes.message}>
          {searching ? (
            <Text size="sm" c="dimmed" children={t('searching')} />
          ) : (
            <>
              <Text size="sm">{t('nothing', { q: query.trim() })}</Text>
              <Text size="sm" c="dimmed" children={t('nothingText')} />
            </>
          )}
        </div>
      )}
    </>
  )
}

function Foot({ status }: { status: string | false }) {
  const { t } = useTranslation('search')
  return (
    <div className={classes.foot}>
      <span role="status">{status}</span>
      <span className={classes.keys} aria-hidden="true">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {t('keys.move')} <Kbd size="xs">Enter</Kbd> {t('keys.open')}{' '}
        <Kbd size="xs">Esc</Kbd> {t('keys.close')}
      </span>
    </div>
  )
}

type GroupsProps = {
  groups: Found[]
  query: string
  currentIndex: number
  optionId: (index: number) => string
  onHover: (index: number) => void
  onOpen: (item: Item) => void
}

function Groups({ groups, query, currentIndex, optionId, onHover, onOpen }: GroupsProps) {
  const words = query.trim().split(/\s+/).filter(Boolean)
  let index = -1
  return groups.map(({ key, label, items }) => (
    <div key={key} role="group" aria-label={label}>
      <div className={classes.label} aria-hidden="true">
        {label}
      </div>
      {items.map((item) => {
        const itemIndex = ++index
        return (
          <UnstyledButton
            key={item.key}
            id={optionId(itemIndex)}
            role="option"
            aria-selected={itemIndex === currentIndex}
            tabIndex={-1}
            className={classes.option}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => itemIndex !== currentIndex && onHover(itemIndex)}
            onClick={() => onOpen(item)}
          >
            <span className={classes.icon}>{item.icon}</span>
            <span className={classes.words}>
              <Highlight component="span" highlight={words} className={classes.title} children={item.title} />
              {item.hint && (
                <Highlight component="span" highlight={words} className={classes.hint} children={item.hint} />
              )}
            </span>
            {item.status && <StatusDot {...item.status} />}
          </UnstyledButton>
        )
      })}
    </div>
  ))
}
