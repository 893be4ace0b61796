import { AccountLayout } from '#web/modules/accounts/settings/account-layout.tsx'
import { useSimLabel } from './form/driving-licence-form.tsx'
import { QuestionnaireForm } from './form/questionnaire-form.tsx'

export default function QuestionnairePage() {
  return (
    <AccountLayout simLabel={useSimLabel()}>
      <QuestionnaireForm />
    </AccountLayout>
  )
}
