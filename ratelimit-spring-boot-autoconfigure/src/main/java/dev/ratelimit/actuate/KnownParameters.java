package dev.ratelimit.actuate;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Rejects changes by {@link RateLimitLiveEndpoint} whose parameters it does not declare.
 * Spring Boot ignores unknown parameters, so a misspelled {@code dryRun} would make the
 * change. Thread-safe.
 */
final class KnownParameters implements OperationInvokerAdvisor {

	private static final EndpointId LIVE = EndpointId.of("ratelimitlive");

	/** Parameters that users do not send. */
	private static final Set<String> HIDDEN = Set.of("path", "security");

	@Override
	public OperationInvoker apply(EndpointId endpoint, OperationType type, OperationParameters parameters,
			OperationInvoker invoker) {
		if (!endpoint.equals(LIVE) || type == OperationType.READ) {
			return invoker;
		}
		Set<String> known = parameters.stream()
			.map(OperationParameter::getName)
			.collect(Collectors.toCollection(TreeSet::new));
		return (context) -> {
			Set<String> unknown = unknown(context.getArguments(), known);
			return (unknown.isEmpty()) ? invoker.invoke(context) : rejected(unknown.iterator().next(), known);
		};
	}

	// Names that begin with '_' belong to filters, such as the CSRF token.
	private static Set<String> unknown(Map<String, Object> arguments, Set<String> known) {
		return arguments.keySet()
			.stream()
			.filter((name) -> !known.contains(name) && !name.startsWith("_"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static WebEndpointResponse<?> rejected(String name, Set<String> known) {
		Set<String> shown = known.stream()
			.filter((one) -> !HIDDEN.contains(one))
			.collect(Collectors.toCollection(TreeSet::new));
		return RateLimitLiveEndpoint.failed(LiveRequest.unknown(name, shown), WebEndpointResponse.STATUS_BAD_REQUEST);
	}

}
