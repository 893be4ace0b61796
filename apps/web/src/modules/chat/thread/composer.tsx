import { ActionIcon, Button, Text, Textarea, VisuallyHidden } from '@mantine/core'
import { IconPaperclip, IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chatFileTypes, longestMessage, maxChatFileBytes } from '#domain/chat/chat.ts'
import { shrinkImage } from '#web/ui/form/shrink-image.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { FilePreview } from './file-preview.tsx'
import classes from './thread.module.css'

type Props = {
  text: string
  onText: (text: string) => void
  onSend: (body: string) => void
  /** Omitted where files cannot be sent, as in notes. */
  onFile?: ((file: File) => void) | undefined
  label?: string
  sendLabel?: string
  isNote?: boolean
  field?: RefObject<HTMLTextAreaElement | null>
  /** Buttons before the send button. */
  tools?: ReactNode
}

const acceptedTypes: readonly string[] = chatFileTypes

/** Replaces lone surrogates, which the server cannot store. The length limit may cut an emoji in half. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\uFFFD')

/** Where a finger is the main pointer, Enter starts a new line. */
const sendsOnEnter = () => matchMedia('(pointer: fine)').matches

export function Composer({ text, onText, onSend, onFile, label, sendLabel, isNote, field, tools }: Props) {
  const { t } = useTranslation('chat')
  const fileInput = useRef<HTMLInputElement>(null)
  const ownField = useRef<HTMLTextAreaElement>(null)
  const textField = field ?? ownField
  const [problem, setProblem] = useState<string | null>(null)
  /** Chosen file, whose preview replaces the text field. */
  const [attachment, setAttachment] = useState<File | null>(null)
  const body = wellFormed(text).trim()
  const send = () => {
    if (body === '') return textField.current?.focus()
    if (body.length > longestMessage) return
    setProblem(null)
    onSend(body)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !sendsOnEnter()) return
    event.preventDefault()
    send()
  }
  const takeFile = async (chosenFile: File | undefined) => {
    setProblem(null)
    if (!chosenFile || !onFile) return
    const file = await shrinkImage(chosenFile)
    if (!acceptedTypes.includes(file.type) || file.size === 0 || file.size > maxChatFileBytes)
      return setProblem(t('fileRefused'))
    setAttachment(file)
  }
  const closePreview = () => {
    setAttachment(null)
    setTimeout(() => textField.current?.focus({ preventScroll: true }))
  }
  if (attachment && onFile)
    return (
      <FilePreview
        file={attachment}
        onSend={() => {
          onFile(attachment)
          closePreview()
        }}
        onCancel={closePreview}
      />
    )
  const rest = longestMessage - body.length
  return (
    <form
      className={classes.composer}
      data-note={isNote || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        send()
      }}
    >
      <Textarea
        ref={textField}
        aria-label={label ?? t('message')}
        placeholder={isNote ? label : t('placeholder')}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={longestMessage}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={press}
        onPaste={(event) => {
          const { files, types } = event.clipboardData
          // Ignores the picture that Excel and Word add to copied text.
          if (!onFile || !files[0] || types.includes('text/plain')) return
          event.preventDefault()
          void takeFile(files[0])
        }}
      />
      {rest >= 0 && rest < 200 && (
        <Text size="xs" c="dimmed" role="status">
          {rest}
        </Text>
      )}
      <Failure>{rest < 0 ? t('tooLong', { count: -rest }) : problem}</Failure>
      <div className={classes.composerButtons}>
        {onFile && (
          <>
            <ActionIcon
              variant="default"
              size={44}
              aria-label={t('attach')}
              title={`${t('attach')}. ${t('fileHelp')}`}
              onClick={() => fileInput.current?.click()}
            >
              <IconPaperclip size={20} aria-hidden />
            </ActionIcon>
            <VisuallyHidden>
              <input
                ref={fileInput}
                type="file"
                tabIndex={-1}
                aria-hidden="true"
                accept={acceptedTypes.join(',')}
                onChange={(event) => {
                  void takeFile(event.target.files?.[0])
                  event.target.value = ''
                }}
              />
            </VisuallyHidden>
          </>
        )}
        {tools}
        <Button
          type="submit"
          className={classes.send}
          mih={44}
          leftSection={<IconSend size={18} aria-hidden />}
          aria-disabled={body === '' || undefined}
        >
          {sendLabel ?? t('send')}
        </Button>
      </div>
    </form>
  )
}
