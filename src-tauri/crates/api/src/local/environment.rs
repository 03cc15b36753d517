//! Which variables of our environment a program is given by name; and that the person has seen which ones it
//! no longer gets.

use signalbox_engine::Intent;
use signalbox_model::{Json, Secret, Server, Transport};

use super::{Local, length};
use crate::{
    ApiError, Code, ServerView,
    command::{CarryOut, PassVariables, SeenWithheld},
    environment::{ENVIRONMENT, Unseen},
};

impl CarryOut<PassVariables> for Local {
    /// From now on a program gets these variables of ours. That is no consent to its command: who was not confirmed
    /// still is not.
    async fn carry_out(
        &self,
        PassVariables { server, names }: PassVariables,
    ) -> Result<ServerView, ApiError> {
        let server = self.server(&server).await?;
        let _here = self.moving_secrets.read().await;
        self.configure(server.id, Vec::new(), |server| {
            let Transport::Stdio { command, args, mut env, cwd } = server.transport else {
                let message =
                    format!("{:?} is reached by its URL: there is no program to pass it to", server.name);
                return Err(ApiError::new(Code::Usage, message));
            };
            for name in names {
                if name.is_empty() || name.contains(['=', '\0']) {
                    return Err(ApiError::new(Code::Usage, format!("{name:?} cannot be a variable's name")));
                }
                env.retain(|(known, _)| *known != name);
                env.push((name.clone(), Secret::Env { var: name }));
            }
            let transport = Transport::Stdio { command, args, env, cwd };
            length::check(length::of(&transport) + length::of_texts(&server.roots))?;
            Ok(Server { transport, ..server })
        })
        .await
    }
}

impl CarryOut<SeenWithheld> for Local {
    /// What a program no longer gets is not said again.
    async fn carry_out(&self, SeenWithheld { server }: SeenWithheld) -> Result<(), ApiError> {
        let server = self.server(&server).await?.id;
        if let Some(left) = self.read(Unseen::read).await?.without(server) {
            let tuning = self.settings.borrow().tuning();
            let (key, value) = (ENVIRONMENT.to_owned(), Json::of(&left));
            self.intent(Intent::PutSetting { key, value, tuning }).await?;
        }
        Ok(())
    }
}
