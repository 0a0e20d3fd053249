package dev.ratelimit.web.grpc;

import dev.ratelimit.gate.WaitingThreads;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.response.HeaderFactory;

/**
 * The components that all calls of a server share.
 *
 * @param gate the gate
 * @param headers creates header fields
 * @param rejections closes rejected calls
 * @param methods the methods of the services
 * @param threads the threads of calls that a limit holds
 */
record GrpcServer(RequestGate gate, HeaderFactory headers, GrpcRejections rejections, GrpcMethods methods,
		WaitingThreads threads) {
}
