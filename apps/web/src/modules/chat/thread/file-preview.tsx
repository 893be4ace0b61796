import { Button, Text } from '@mantine/core'
import { IconFile, IconSend } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './thread.module.css'

/** Makes the drawer ignore Escape pressed on a button with this attribute. The drawer listens on the whole window. */
const keepsDrawerOpen = { 'data-mantine-stop-propagation': true }

type Props = { file: File; onSend: () => void; onCancel: () => void }

/** Shows a file before it is sent, because a sent file cannot be taken back. */
export function FilePreview({ file, onSend, onCancel }: Props) {
  const { t } = useTranslation(['chat', 'common'])
  const url = useObjectUrl(file)
  const sendButton = useRef<HTMLButtonElement>(null)
  // Moves a lost focus to the send button. If another control has the focus, leaves the focus there, because Enter must
  // not send the file then.
  useEffect(() => {
    if (document.activeElement === document.body) sendButton.current?.focus()
  }, [])
  return (
    <div
      role="group"
      className={classes.composer}
      aria-label={t('chat:sendFile')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      <Text size="sm" fw={600}>
        {t('chat:sendFile')}
      </Text>
      <div className={classes.preview}>
        {file.type.startsWith('image/') ? (
          url && <img src={url} alt={t('common:file.preview', { name: file.name })} />
        ) : (
          <IconFile size={32} aria-hidden />
        )}
        <Text size="sm">{file.name}</Text>
      </div>
      <div className={classes.composerButtons}>
        <Button variant="default" mih={44} onClick={onCancel} {...keepsDrawerOpen}>
          {t('common:actions.cancel')}
        </Button>
        <Button
          className={classes.send}
          mih={44}
          onClick={onSend}
          leftSection={<IconSend size={18} aria-hidden />}
          ref={sendButton}
          {...keepsDrawerOpen}
        >
          {t('chat:send')}
        </Button>
      </div>
    </div>
  )
}

function useObjectUrl(file: File) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const next = URL.createObjectURL(file)
    setUrl(next)
    return () => URL.revokeObjectURL(next)
  }, [file])
  return url
}
