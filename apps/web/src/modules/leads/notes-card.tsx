import { Button, Text, Textarea, Timeline } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addLeadNote, type FullLead, type LeadNote } from '#domain/leads/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Activity on a lead, newest first. */
export function NotesCard({ lead: { id, notes } }: { lead: FullLead }) {
  const { t } = useTranslation('leads')
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  return (
    <Card
      title={t('notes.title')}
      actions={
        may(addLeadNote.access) && (
          <Button variant="default" size="compact-md" onClick={() => setAdding(true)}>
            {t('notes.add')}
          </Button>
        )
      }
    >
      {notes.length === 0 && <EmptyState title={t('notes.empty')} />}
      <Timeline bulletSize={14} lineWidth={2}>
        {notes.map((note) => (
          <Timeline.Item key={note.id} title={<NoteTitle note={note} />}>
            <Text size="sm" c="dimmed">
              <DateText value={note.at} as="datetime" />, {note.by ?? t('notes.system')}
            </Text>
            <NoteText note={note} />
          </Timeline.Item>
        ))}
      </Timeline>
      {isAdding && <NoteDialog id={id} onClose={() => setAdding(false)} />}
    </Card>
  )
}

function NoteTitle({ note: { kind, result, stage, owner } }: { note: LeadNote }) {
  const { t } = useTranslation('leads')
  if (kind === 'call') return t('notes.kind.call', { result: result && t(`call.result.${result}`) })
  if (kind === 'stage') return t('notes.kind.stage', { stage: stage && t(`stage.${stage}`) })
  if (kind === 'owner') return t('notes.kind.owner', { owner: owner ?? t('nobody') })
  return t(`notes.kind.${kind}`)
}

function NoteText({ note: { kind, text, day } }: { note: LeadNote }) {
  const { t } = useTranslation('leads')
  const { language } = useSurroundings()
  if (kind === 'account') return text === 'other' ? <Text size="sm">{t('notes.otherAccount')}</Text> : null
  return (
    <>
      {text && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      )}
      {day && <Text size="sm">{t('notes.day', { day: longDate(day, language) })}</Text>}
    </>
  )
}

function NoteDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('leads')
  const form = useForm({
    call: addLeadNote,
    params: { id },
    start: { text: '' },
    body: ({ text }) => ({ text: text.trim() }),
    done: t('notes.added'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('notes.add')} form={form} submit={t('notes.add')} onClose={onClose}>
      <Textarea label={t('notes.text')} autosize minRows={3} data-autofocus {...form.text('text')} />
    </DialogForm>
  )
}
