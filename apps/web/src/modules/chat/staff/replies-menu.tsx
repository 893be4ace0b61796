import { Button, Popover, Text, TextInput } from '@mantine/core'
import { IconTextPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Conversation, listFilledReplies } from '#domain/chat/endpoints.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import classes from './inbox.module.css'

type Choice = { id: string; title: string; body: string; note?: string | undefined }
type MenuProps = {
  label: string
  /** Sentence that names the language of the texts. */
  language: string
  choices: readonly Choice[] | undefined
  error: Error | null
  onRetry: () => unknown
  onOpen: (isOpen: boolean) => void
  isOpen: boolean
  onPick: (choice: Choice) => void
  empty: ReactNode
}

function TextsMenu({ label, language, choices, error, onRetry, onOpen, isOpen, onPick, empty }: MenuProps) {
  const { t } = useTranslation('inbox')
  const [typed, setTyped] = useState('')
  const q = searchKeyOf(typed.trim())
  const found = choices?.filter(({ title, body }) => searchKeyOf(`${title} ${body}`).includes(q))
  return (
    <Popover
      opened={isOpen}
      onChange={onOpen}
      position="top-start"
      width={380}
      trapFocus
      returnFocus
      shadow="md"
      zIndex={navigationConstants.dropdownZIndex}
    >
      <Popover.Target>
        <Button variant="default" px="sm" aria-label={label} onClick={() => onOpen(!isOpen)}>
          <IconTextPlus size={20} aria-hidden />
          <span className={classes.word}>&nbsp;{label}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" maw="calc(100vw - 16px)" aria-label={label}>
        {!found ? (
          <LoadingOrFailed error={error} onRetry={onRetry} rows={3} />
        ) : choices?.length === 0 ? (
          <Text p="xs">{empty}</Text>
        ) : (
          <>
            <Text size="sm" c="dimmed" px={10} pb={6}>
              {language}
            </Text>
            <TextInput
              type="search"
              size="sm"
              data-autofocus
              aria-label={t('search')}
              placeholder={t('search')}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <ul className={classes.choices}>
              {found.map((choice) => (
                <li key={choice.id}>
                  <button
                    type="button"
                    onClick={() => {
                      onOpen(false)
                      onPick(choice)
                    }}
                  >
                    <strong>{choice.title}</strong>
                    <span>{choice.body}</span>
                    {choice.note && <em>{choice.note}</em>}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Reads again each time the menu opens, because the applicant's facts may have changed. */
const useTexts = (conversationId: string, isOpen: boolean) =>
  useEndpoint(listFilledReplies, { params: { id: conversationId } }, { enabled: isOpen, staleTime: 0 })

type Props<T> = { conversation: Conversation; onPick: (picked: T) => void }

/** Menu of canned replies filled in for the applicant, each with the names of missing facts. */
export function RepliesMenu({ conversation: { id, language }, onPick }: Props<string>) {
  const { t } = useTranslation('inbox')
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useTexts(id, isOpen)
  const choices = data?.data.map(({ missing, ...reply }) => ({
    ...reply,
    note: missing.length > 0 ? t('missing', { facts: missing.map((fact) => t(`fact.${fact}`)).join(', ') }) : undefined,
  }))
  return (
    <TextsMenu
      label={t('repliesMenu')}
      language={t(`repliesLanguage.${language}`)}
      {...{ choices, error, isOpen }}
      onRetry={refetch}
      onOpen={setOpen}
      onPick={({ body }) => onPick(body)}
      empty={t('noReplies')}
    />
  )
}

/** Menu of approved WhatsApp templates. WhatsApp accepts templates even while it refuses free text. */
export function TemplatesMenu({ conversation: { id, language }, onPick }: Props<{ id: string; body: string }>) {
  const { t } = useTranslation('inbox')
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useTexts(id, isOpen)
  return (
    <TextsMenu
      label={t('template')}
      language={t(`repliesLanguage.${language}`)}
      choices={data?.templates.map(({ id, name, body }) => ({ id, title: name, body }))}
      {...{ error, isOpen }}
      onRetry={refetch}
      onOpen={setOpen}
      onPick={onPick}
      empty={t('noTemplates')}
    />
  )
}
