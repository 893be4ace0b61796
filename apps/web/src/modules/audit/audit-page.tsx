import { Anchor, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type AuditEntry, listAudit } from '#domain/audit/lists.ts'
import { entities } from '#entities/index.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { Differences, EntryDetails } from './entry-details.tsx'
import { useAuditWords } from './words.ts'

/** The audit log, newest first; read-only for everybody. */
export default function AuditPage() {
  const { t } = useTranslation('audit')
  const title = useScreenTitle()
  const { language } = useSurroundings()
  const words = useAuditWords()
  const [open, setOpen] = useState<AuditEntry | null>(null)
  return (
    <>
      <DataList
        list={listAudit}
        title={title}
        endless
        searchLabel={t('searchLabel')}
        rowTitle={words.sentence}
        onOpen={setOpen}
        preview={(entry) => <EntryDetails entry={entry} />}
        cells={{
          what: words.sentence,
          record: (entry) => <Subject entry={entry} />,
          who: words.who,
          role: (entry) => entry.actor.role,
          recordId: (entry) => entry.subject.id,
          changes: (entry) => <Differences entry={entry} />,
        }}
        controls={{
          action: { kind: 'choice', choices: words.actions },
          subjectType: {
            kind: 'choice',
            choices: [
              ...Object.entries(t('types', { returnObjects: true })).map(([value, label]) => ({ value, label })),
              ...entities.map(({ slug, label }) => ({ value: slug, label: label.one[language] })),
            ],
          },
          actorId: { kind: 'text' },
        }}
        empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      />
      <Modal opened={open !== null} onClose={() => setOpen(null)} size="lg" title={open && words.sentence(open)}>
        {open && <EntryDetails entry={open} />}
      </Modal>
    </>
  )
}

function Subject({ entry }: { entry: AuditEntry }) {
  const { subjectType, record } = useAuditWords()
  const { subject } = entry
  const name = record(entry) ?? subjectType(subject.type)
  if (!subject.path) return <Text size="sm" c={subject.title ? undefined : 'dimmed'} children={name} />
  return <Anchor component={Link} to={subject.path} size="sm" children={name} />
}
