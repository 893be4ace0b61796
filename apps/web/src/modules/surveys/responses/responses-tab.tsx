import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { RowOf } from '#domain/list.ts'
import { removeSurveyResponse, type Survey } from '#domain/surveys/endpoints.ts'
import { listSurveyResponses } from '#domain/surveys/lists.ts'
import { dateTime } from '#locales/format.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ResponseDrawer } from './response-drawer.tsx'

/** Lists individual responses. Deleting a response requires a reason. */
export function ResponsesTab({ survey: { id } }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { language } = useSurroundings()
  const [search, setSearch] = useSearchParams()
  const responseId = search.get('response')
  const close = () =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      next.delete('response')
      return next
    })
  const actions: RowAction<RowOf<typeof listSurveyResponses>>[] = [
    {
      key: 'remove',
      label: t('responses.remove'),
      right: removeSurveyResponse.access,
      danger: true,
      dialog: ([response], ends) =>
        response && (
          <ReasonDialog
            call={removeSurveyResponse}
            params={{ id, responseId: response.id }}
            title={t('responses.removeTitle')}
            submit={t('responses.remove')}
            danger
            label={t('responses.reason')}
            description={t('responses.removeText')}
            done={t('responses.removed')}
            {...ends}
          />
        ),
    },
  ]
  return (
    <>
      <ListCard
        prefix="responses."
        list={listSurveyResponses}
        params={{ id }}
        title={t('responses.title')}
        searchLabel={t('responses.search')}
        rowTitle={({ finishedAt }) => dateTime(finishedAt, language)}
        href={(response) => `?tab=responses&response=${response.id}`}
        rowActions={actions}
        empty={{ title: t('results.none') }}
      />
      {responseId && <ResponseDrawer surveyId={id} responseId={responseId} onClose={close} />}
    </>
  )
}
