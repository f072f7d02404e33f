// Others at the sample project, for pictures of presence: each on a socket of their own, at a task of theirs, through the same door as
// everybody.

const names = { ines: 'Ines Duarte', noor: 'Noor Haddad' };

/** Whoever has come once signs up no second time. */
const known = new Map();

const kept = ({ data, error }) => {
  if (error) throw new Error(error.message);
  return data;
};

/** `doing`: by person what they track, with numbers of tasks: `{ tomas: { open: 26 } }`. They go, members and all, with `leave`. */
export async function gather(client, project, doing) {
  const mara = await client('mara');
  const numbers = kept(await mara.from('tasks').select('id, number').eq('project_id', project));
  const taskOf = (number) => numbers.find((task) => task.number === number).id;
  const doors = [];
  for (const [who, what] of Object.entries(doing)) {
    const door = known.get(who) ?? (await client(who, names[who]));
    known.set(who, door);
    doors.push(door);
    if (who in names) {
      const { user } = kept(await door.auth.getUser());
      kept(await mara.from('project_members').upsert({ project_id: project, user_id: user.id, role: 'editor' }));
    }
    await door.realtime.setAuth();
    const channel = door.channel(`project:${project}`, { config: { private: true, presence: { key: who } } });
    await new Promise((resolve, reject) =>
      channel.subscribe((status, error) => {
        if (status === 'SUBSCRIBED') resolve();
        else if (error) reject(error);
      }),
    );
    await channel.track(Object.fromEntries(Object.entries(what).map(([at, number]) => [at, taskOf(number)])));
  }
  return {
    async leave() {
      for (const [index, who] of Object.keys(doing).entries()) {
        const { user } = kept(await doors[index].auth.getUser());
        await doors[index].removeAllChannels();
        if (who in names)
          kept(await mara.from('project_members').delete().eq('project_id', project).eq('user_id', user.id));
      }
    },
  };
}
