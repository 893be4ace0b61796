import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { createLetterKind, updateLetterKind } from '#domain/letters/endpoints.ts'
import { listLetterKinds } from '#domain/letters/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'

/** Kinds of letters, with a link to the register. */
export default function LettersPage() {
  const { t } = useTranslation('letters')
  const { mayCall } = useSession()
  return (
    <DataList
      list={listLetterKinds}
      title={useScreenTitle()}
      rowTitle={({ name }) => name}
      href={({ id }) => (mayCall(updateLetterKind) ? `/surat/${id}` : undefined)}
      actions={
        <>
          <Button component={Link} to="/surat/terbit" variant="default">
            {t('register.open')}
          </Button>
          <Button component={Link} to="/surat/tanda-tangan" variant="default">
            {t('signing.open')}
          </Button>
          <Button component={Link} to="/surat/massal" variant="default">
            {t('batch.open')}
          </Button>
          {mayCall(createLetterKind) && (
            <Button component={Link} to="/surat/create">
              {t('kinds.add')}
            </Button>
          )}
        </>
      }
      empty={{ title: t('kinds.empty'), text: t('kinds.emptyText') }}
    />
  )
}
