import { Alert, Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { getEntity } from '#entities/index.ts'
import { percent } from '#locales/format.ts'
import { useEndpoint } from '../../api/query.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { ResourceList } from '../../resource/resource-list.tsx'
import { useEntityWords } from '../../resource/words.ts'

/** The terms of a plan, edited in place; a plan whose shares are not whole says so. */
export default function InstallmentTerms({ id: planId }: { id: string }) {
  const entity = getEntity('cicilan-termin')
  const { t, say } = useEntityWords()
  const close = useTranslation('common').t('actions.close')
  const [shown, setShown] = useState<Row | 'new' | null>(null)
  const answer = useEndpoint(endpointsOf(entity).list, {
    params: { parentId: planId },
    query: { per_page: 100, active: 'true' },
  } as never)
  const terms = (answer.data?.data ?? []) as unknown as Row[]
  const shares = terms.map((term) => Number(term.shareBps ?? 0)).reduce((sum, share) => sum + share, 0)
  const last = Math.max(0, ...terms.map((term) => Number(term.sortOrder)))
  const done = () => setShown(null)
  return (
    <>
      {answer.isSuccess && shares !== 10_000 && (shares > 0 || terms.length === 0) && (
        <Alert color="orange" variant="light">
          {t('shareIncomplete', { total: percent(shares / 10_000) })}
        </Alert>
      )}
      <ResourceList
        entity={entity}
        title={say(entity.label.many)}
        parentId={planId}
        onCreate={() => setShown('new')}
        onOpen={setShown}
      />
      <Modal
        opened={shown !== null}
        onClose={done}
        size="lg"
        title={shown === 'new' ? t('add', { noun: say(entity.label.one).toLowerCase() }) : say(entity.label.one)}
        closeButtonProps={{ 'aria-label': close }}
      >
        {shown && (
          <ResourceForm
            entity={entity}
            parentId={planId}
            row={shown === 'new' ? undefined : shown}
            start={{ sortOrder: last + 1 }}
            onSaved={(_, another) => !another && done()}
            onLeave={done}
          />
        )}
      </Modal>
    </>
  )
}
