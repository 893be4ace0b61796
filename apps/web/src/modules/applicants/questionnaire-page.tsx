import { AccountLayout } from '#web/modules/accounts/settings/account-layout.tsx'
import { useSimLabel } from './more-data/driving-licence-form.tsx'
import { QuestionnaireForm } from './more-data/questionnaire-form.tsx'

export default function QuestionnairePage() {
  return (
    <AccountLayout simLabel={useSimLabel()}>
      <QuestionnaireForm />
    </AccountLayout>
  )
}
