//! What was said before to the same question of the same tool.

use signalbox_model::RequestLine;

use super::{Local, rows};
use crate::{
    ApiError, RequestRow,
    command::{CarryOut, EarlierAnswers},
};

/// So many are told.
const MOST: u32 = 5;
/// No more are told behind those with which they are so long together, in bytes: answers may be large.
const LONGEST: usize = 256 * 1024;

impl CarryOut<EarlierAnswers> for Local {
    async fn carry_out(
        &self,
        EarlierAnswers { request }: EarlierAnswers,
    ) -> Result<Vec<RequestRow>, ApiError> {
        let request = self.request(request).await?;
        self.read_at_once(move |reads| {
            let lines = reads.answered_alike(&request, MOST, LONGEST)?;
            let servers = reads.servers()?;
            let server = servers.iter().map(|(server, _)| server).find(|server| server.id == request.server);
            let row = |line: RequestLine| {
                let call = line.call.map(|call| reads.call(call)).transpose()?.flatten();
                Ok(rows::request(&line, call.as_ref().map(|(call, _)| call), server))
            };
            lines.into_iter().map(row).collect()
        })
        .await
    }
}
