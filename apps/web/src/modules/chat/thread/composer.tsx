import { ActionIcon, FileButton, Group, Text, Textarea } from '@mantine/core'
import { IconPaperclip, IconSend2 } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { longestMessage, writingEveryMs } from '#domain/chat/chat.ts'
import { useAction } from '#web/api/use-action.ts'
import { useDraft } from '#web/ui/form/draft.tsx'
import { shrinkImage } from '#web/ui/form/shrink-image.ts'
import classes from './thread.module.css'

const acceptedFiles = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf']

type Props = {
  /** Key of the text kept on the device. */
  draftKey: string
  label: string
  onSend: (body: string) => void
  /** Sends a file; null where files cannot go. */
  onFile: ((file: File) => Promise<unknown>) | null
  /** Tells the other side, at most every few seconds. */
  onWriting: () => Promise<unknown>
  /** Name of the button. */
  submit: string
  tools?: ReactNode
  /** Text to begin with, for example insertion back by a refusal; a new `at` puts it in. */
  insertion?: { text: string; at: number } | null
  disabled?: boolean
}

/** Fingers write lines with Enter; a keyboard sends with it. */
const entersLines = () => matchMedia('(pointer: coarse)').matches

export function Composer({ draftKey, label, onSend, onFile, onWriting, submit, tools, insertion, disabled }: Props) {
  const { t } = useTranslation('chat')
  const [text, setText, draft] = useDraft(draftKey, '')
  const { act, running } = useAction([])
  const toldAt = useRef(0)
  const takenAt = useRef(0)
  if (insertion && insertion.at !== takenAt.current) {
    takenAt.current = insertion.at
    queueMicrotask(() => setText((before) => [insertion.text, before].filter(Boolean).join('\n')))
  }
  const send = () => {
    const body = text.trim()
    if (!body || disabled) return
    onSend(body)
    setText('')
    draft.clear()
  }
  const write = (next: string) => {
    setText(next)
    if (Date.now() - toldAt.current < writingEveryMs || next.trim() === '') return
    toldAt.current = Date.now()
    void onWriting().catch(() => {})
  }
  const sendFile = (file: File | null) =>
    file && onFile && act('file', async () => onFile(file.type.startsWith('image/') ? await shrinkImage(file) : file))
  return (
    <div className={classes.composer}>
      {tools}
      <Group gap={6} wrap="nowrap" align="flex-end">
        {onFile && (
          <FileButton onChange={sendFile} accept={acceptedFiles.join(',')} disabled={disabled ?? false}>
            {(props) => (
              <ActionIcon
                {...props}
                size={44}
                variant="default"
                aria-label={t('attach')}
                title={t('fileHelp')}
                loading={running === 'file'}
                disabled={disabled}
              >
                <IconPaperclip size={20} aria-hidden />
              </ActionIcon>
            )}
          </FileButton>
        )}
        <Textarea
          className={classes.input}
          aria-label={label}
          placeholder={t('placeholder')}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={longestMessage}
          value={text}
          disabled={disabled}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || entersLines()) return
            event.preventDefault()
            send()
          }}
        />
        <ActionIcon size={44} onClick={send} aria-label={submit} disabled={disabled || text.trim() === ''}>
          <IconSend2 size={20} aria-hidden />
        </ActionIcon>
      </Group>
      {text.length > longestMessage - 200 && (
        <Text size="xs" c="dimmed">
          {text.length} / {longestMessage}
        </Text>
      )}
    </div>
  )
}
