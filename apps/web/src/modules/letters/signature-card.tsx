import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type LetterKind, removeLetterSignature, uploadLetterSignature } from '#domain/letters/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import classes from './letters.module.css'

/** Picture of the signature, uploaded as soon as it is chosen. */
export function SignatureCard({ kind }: { kind: LetterKind }) {
  const { t } = useTranslation('letters')
  const queries = useQueryClient()
  return (
    <Card title={t('form.picture')}>
      {kind.signatureUrl ? (
        <>
          <img src={kind.signatureUrl} alt={t('form.picture')} className={classes.picture} />
          <ConfirmButton
            variant="default"
            message={t('form.noPicture')}
            danger
            onConfirm={async () => {
              await sendOnce(removeLetterSignature, { params: { id: kind.id } })
              await queries.invalidateQueries()
            }}
          >
            {t('form.removePicture')}
          </ConfirmButton>
        </>
      ) : (
        <Text size="sm">{t('form.noPicture')}</Text>
      )}
      <FileDrop
        label={t('form.picture')}
        hint={t('form.pictureHelp')}
        accept={['image/png', 'image/jpeg', 'image/webp']}
        maxBytes={2_000_000}
        shrink={false}
        onSend={async (file, onProgress, signal) => {
          const form = new FormData()
          form.append('file', file)
          await upload(pathOf(uploadLetterSignature.path, { id: kind.id }), form, onProgress, { signal })
          await queries.invalidateQueries()
        }}
      />
    </Card>
  )
}
