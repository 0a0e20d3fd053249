package dev.ratelimit.web.grpc;

import java.util.List;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Watches calls outside all other interceptors, so that it finds out the final status of
 * a call, because the application may map exceptions to a status. Thread-safe.
 */
final class GrpcCallWatcher implements ServerInterceptor {

	/** The services of gRPC: health, reflection, and statistics of channels. */
	private static final List<String> OWN_SERVICES = List.of("grpc.health.", "grpc.reflection.", "grpc.channelz.");

	private static final String ENVOY = "envoy.service.ratelimit.v3.RateLimitService";

	private final GrpcServer server;

	GrpcCallWatcher(GrpcServer server) {
		this.server = server;
	}

	/**
	 * Return whether the calls of a service are exempt, because the service does not
	 * belong to the application.
	 * @param service the service
	 * @return whether its calls are exempt
	 */
	static boolean isExempt(@Nullable String service) {
		return service != null && (service.equals(ENVOY) || OWN_SERVICES.stream().anyMatch(service::startsWith));
	}

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		if (isExempt(call.getMethodDescriptor().getServiceName())) {
			return next.startCall(call, headers);
		}
		GrpcProgress progress = new GrpcProgress();
		LimitedCall<Q, R> limited = new LimitedCall<>(call, headers, progress, this.server);
		try {
			// The interceptors of both phases read the progress from the context.
			return limited.listener(Contexts.interceptCall(Context.current().withValue(GrpcProgress.KEY, progress),
					limited, headers, next));
		}
		catch (RuntimeException | Error ex) {
			limited.failed(ex);
			throw ex;
		}
	}

}
