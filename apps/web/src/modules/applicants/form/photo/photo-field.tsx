import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { type RefObject, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Profile, uploadProfilePhoto } from '#domain/applicants/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { upload } from '#web/api/upload.ts'
import { useKeepProfile } from '#web/modules/applicants/use-profile.ts'
import { bringIntoView } from '#web/ui/bring-into-view.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './photo-field.module.css'

const PhotoCrop = lazyPart(() => import('./photo-crop.tsx').then((module) => ({ default: module.PhotoCrop })))

/** Portrait photo: choose or take it, crop it to a face outline, upload it. */
export function PhotoField({ profile, error }: { profile: Profile | null; error?: string | undefined }) {
  const { t } = useTranslation('applicants')
  const { say } = useSurroundings()
  const keepProfile = useKeepProfile()
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const [source, setSource] = useState<{ file: File; address: string } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const [isSaved, setIsSaved] = useState(false)

  const close = () => {
    if (source) URL.revokeObjectURL(source.address)
    setSource(null)
  }
  const chooseFile = async (file: File | undefined) => {
    if (!file) return
    setIsSaved(false)
    setProblem(null)
    const bitmap = await createImageBitmap(file).catch(() => null)
    if (!bitmap) return setProblem(t('photo.unreadable'))
    const tooSmall = Math.min(bitmap.width, bitmap.height) < 300 || Math.max(bitmap.width, bitmap.height) < 400
    bitmap.close()
    if (tooSmall) return setProblem(t('photo.tooSmall'))
    setSource({ file, address: URL.createObjectURL(file) })
  }
  const send = async (picture: Blob) => {
    setSending(true)
    setProblem(null)
    try {
      const form = new FormData()
      form.append('file', picture, 'photo.jpg')
      const { data } = await upload<{ data: Profile }>(uploadProfilePhoto.path, form)
      close()
      setIsSaved(true)
      await keepProfile(data)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.fieldMessages.file ?? error.message)
    } finally {
      setSending(false)
    }
  }
  return (
    <div className={classes.field}>
      <Portrait address={profile?.photoUrl ?? null} />
      <Stack gap="xs" className={classes.words}>
        <Text fw={600}>{t('field.photoFileId')}</Text>
        <Text size="sm" c="dimmed">
          {t('photo.rules')}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={() => chooser.current?.click()}>
            {profile?.photoUrl ? t('photo.change') : t('photo.choose')}
          </Button>
          <Button variant="default" className={classes.camera} onClick={() => camera.current?.click()}>
            {t('photo.camera')}
          </Button>
        </Group>
        <FileInput ref={chooser} onChoose={chooseFile} />
        <FileInput ref={camera} capture="user" onChoose={chooseFile} />
        <div role="status" aria-live="polite">
          {isSaved && <Text size="sm">{t('photo.saved')}</Text>}
        </div>
        {(problem ?? error) && !source && (
          <Alert key={problem ?? error} color="red" role="alert" ref={bringIntoView}>
            {problem ?? error}
          </Alert>
        )}
      </Stack>
      <Modal
        opened={source !== null}
        onClose={() => !sending && close()}
        title={t('photo.cropTitle')}
        size="md"
        closeButtonProps={{ 'aria-label': say('actions.close') }}
      >
        <Suspense fallback={<Loader />}>
          {source && (
            <PhotoCrop
              file={source.file}
              source={source.address}
              sending={sending}
              problem={problem}
              onUse={send}
              onCancel={close}
            />
          )}
        </Suspense>
      </Modal>
    </div>
  )
}

/** The saved photo, or an outline of a face. */
function Portrait({ address }: { address: string | null }) {
  const { t } = useTranslation('applicants')
  if (address) return <img src={address} alt={t('photo.alt')} className={classes.photo} />
  return (
    <div className={classes.photo} aria-hidden="true">
      <svg viewBox="0 0 90 120" className={classes.outline}>
        <ellipse cx="45" cy="48" rx="20" ry="26" />
        <path d="M8 120c0-24 16-36 37-36s37 12 37 36" />
      </svg>
    </div>
  )
}

type FileInputProps = {
  ref: RefObject<HTMLInputElement | null>
  capture?: 'user'
  onChoose: (file: File | undefined) => Promise<void>
}

/** Hidden input opened by a button; choosing the same file again also counts. */
function FileInput({ ref, capture, onChoose }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      tabIndex={-1}
      accept="image/jpeg,image/png,image/webp"
      {...(capture && { capture })}
      onChange={(event) => {
        const file = event.target.files?.[0]
        event.target.value = ''
        void onChoose(file)
      }}
    />
  )
}
