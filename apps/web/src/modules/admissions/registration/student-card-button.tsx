import { Button, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconId } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownCard } from '#domain/students/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './student-card.module.css'
import { pictureOfCard } from './student-card-picture.ts'

/** Opens the student card, to show on the phone or save as a picture. */
export function StudentCardButton({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('students')
  const { say } = useSurroundings()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="white"
        color="dark"
        size="lg"
        leftSection={<IconId size={20} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t('card.show')}
      </Button>
      {isOpen && (
        <Modal
          opened
          onClose={() => setOpen(false)}
          title={t('card.title')}
          size="lg"
          closeButtonProps={{ 'aria-label': say('actions.close') }}
        >
          <Card registrationId={registrationId} />
        </Modal>
      )}
    </>
  )
}

function Card({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('students')
  const [busy, setBusy] = useState(false)
  const { data: answer, error, refetch } = useEndpoint(ownCard, { params: { id: registrationId } })
  if (!answer) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
  const card = answer.data
  const save = async () => {
    setBusy(true)
    try {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await pictureOfCard(card, t('card.title')))
      link.download = `${card.npm}.png`
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
    } catch (failure) {
      notifications.show({ color: 'red', message: (failure as Error).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack align="center">
      <div className={classes.card}>
        <div className={classes.band}>
          <strong>{card.university}</strong>
          <div>{t('card.title')}</div>
        </div>
        {card.photo ? (
          <img className={classes.photo} src={card.photo} alt={t('card.photo')} />
        ) : (
          <div className={classes.photo}>{t('card.noPhoto')}</div>
        )}
        <div className={classes.facts}>
          <strong>{card.name}</strong>
          <p className={classes.number}>{card.npm}</p>
          <div>{card.programme}</div>
          <div>{card.faculty}</div>
          <div>{card.academicYear}</div>
        </div>
        <svg
          className={classes.qr}
          viewBox={`-4 -4 ${card.qr.size + 8} ${card.qr.size + 8}`}
          role="img"
          aria-label={t('card.qr')}
          shapeRendering="crispEdges"
        >
          <path d={card.qr.path} />
        </svg>
      </div>
      <Text size="sm" c="dimmed" ta="center">
        {t('card.scan')}
      </Text>
      <Button loading={busy} onClick={save}>
        {t('card.save')}
      </Button>
    </Stack>
  )
}
