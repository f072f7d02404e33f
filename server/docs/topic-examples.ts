// First steps with supabase-js on the pages of topics. `supabase` is a client of this instance.

export const topicExamples: Readonly<Record<string, string>> = {
  Identity: `const { data, error } = await supabase.auth.signInWithPassword({
  email: 'ada@example.com',
  password: 'correct horse battery staple',
});`,
  Files: `const { data, error } = await supabase.storage
  .from('attachments')
  .download('project-id/task-id/plan.pdf');`,
  Realtime: `const channel = supabase
  .channel('tasks')
  .on('postgres_changes', { event: '*', schema: 'public', table: 'tasks' }, (change) => {
    console.log(change.eventType, change.new);
  })
  .subscribe();`,
  'Second factors': `const { data, error } = await supabase.auth.mfa.enroll({ factorType: 'totp' });`,
};
