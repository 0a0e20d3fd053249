package dev.ratelimit.actuate;

import java.security.Principal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.base.FailureStatus;
import dev.ratelimit.rule.ShownText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Internal: shows and changes the rules while the application runs. Bodies and parameters
 * are texts; the first segment of the path names the {@link LiveResource}.
 */
@WebEndpoint(id = "ratelimitlive")
public final class RateLimitLiveEndpoint {

	/** The name of the part that is shown if none is named. */
	public static final String OVERVIEW = "overview";

	static final int FORBIDDEN = 403;

	private static final int TOO_LARGE = 413;

	private static final int MAX_CHARACTERS = 64 * 1024;

	private final Map<String, LiveResource> resources;

	private final LiveAccess access;

	private final List<FailureStatus<?>> failures;

	/**
	 * Create an endpoint.
	 * @param resources the parts
	 * @param access the rights to make changes
	 * @param failures the statuses of failures that are specific to the parts
	 */
	public RateLimitLiveEndpoint(List<LiveResource> resources, LiveAccess access, List<FailureStatus<?>> failures) {
		this.resources = resources.stream().collect(Collectors.toMap(LiveResource::name, (resource) -> resource));
		this.access = access;
		this.failures = Stream
			.concat(failures.stream(), Stream.of(new FailureStatus<>(TooLargeException.class, TOO_LARGE)))
			.toList();
	}

	/**
	 * Return the source of the rules, and the state of this instance.
	 * @return the overview; the names of the parts if there are no live rules
	 */
	@ReadOperation
	public Object overview() {
		Optional<Principal> anonymous = Optional.empty();
		LiveRequest request = new LiveRequest(List.of(), Map.of(), anonymous, this.access.permit(anonymous, false));
		return Optional.ofNullable(this.resources.get(OVERVIEW))
			.flatMap((resource) -> resource.read(request))
			.orElseGet(() -> Map.of("parts", parts()));
	}

	private List<String> parts() {
		return this.resources.keySet().stream().sorted().toList();
	}

	/**
	 * Show a part of the endpoint.
	 * @param security the user
	 * @param path the name of the part, and further segments
	 * @param rule the rule, if it is not in the path
	 * @param subject the subject
	 * @param minutes the time span
	 * @param plan the plan of the subject
	 * @return the part
	 */
	@ReadOperation
	public WebEndpointResponse<?> read(SecurityContext security, @Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String rule, @Nullable String subject, @Nullable String minutes, @Nullable String plan) {
		LiveRequest request = request(security, path,
				values("rule", rule, "subject", subject, "minutes", minutes, "plan", plan));
		return answered("show", path, request, () -> find(path).flatMap((resource) -> resource.read(request)));
	}

	/**
	 * Change a part of the endpoint.
	 * @param security the user
	 * @param path the name of the part, and further segments
	 * @param definition the definition of a rule
	 * @param version the version that the user has read
	 * @param note the reason
	 * @param dryRun whether only to show the changes without making them
	 * @param mode the mode of a switch
	 * @param duration the duration of a switch
	 * @param scope {@code instance} for this instance alone
	 * @param rule the rule, if it is not in the path
	 * @param subject the subject, if that is not in the path
	 * @param candidate the version of the candidate that the user has read
	 * @return the changes
	 */
	@WriteOperation
	public WebEndpointResponse<?> write(SecurityContext security, @Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String definition, @Nullable String version, @Nullable String note, @Nullable String dryRun,
			@Nullable String mode, @Nullable String duration, @Nullable String scope, @Nullable String rule,
			@Nullable String subject, @Nullable String candidate) {
		LiveRequest request = request(security, path,
				values("definition", definition, "version", version, "note", note, "dryRun", dryRun, "mode", mode,
						"duration", duration, "scope", scope, "rule", rule, "subject", subject, "candidate",
						candidate));
		return answered("change", path, request,
				() -> permitted(path, request).flatMap((resource) -> resource.write(request)));
	}

	/**
	 * Remove a part.
	 * @param security the user
	 * @param path the name of the part, and further segments
	 * @param version the version that the user has read
	 * @param note the reason
	 * @param dryRun whether only to show the changes without making them
	 * @param scope {@code instance} for this instance alone
	 * @param rule the rule, as in the path
	 * @param subject the subject, if that is not in the path
	 * @param candidate the version of the candidate that the user has read
	 * @param all whether to remove all items instead of one
	 * @return the changes
	 */
	@DeleteOperation
	public WebEndpointResponse<?> delete(SecurityContext security, @Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String version, @Nullable String note, @Nullable String dryRun, @Nullable String scope,
			@Nullable String rule, @Nullable String subject, @Nullable String candidate, @Nullable String all) {
		LiveRequest request = request(security, path, values("version", version, "note", note, "dryRun", dryRun,
				"scope", scope, "rule", rule, "subject", subject, "candidate", candidate, "all", all));
		return answered("remove", path, request,
				() -> permitted(path, request).flatMap((resource) -> resource.delete(request)));
	}

	private Optional<LiveResource> find(String[] path) {
		return Optional.ofNullable(this.resources.get(path[0]));
	}

	private Optional<LiveResource> permitted(String[] path, LiveRequest request) {
		Optional<LiveResource> found = find(path);
		if (found.filter(LiveResource::permitsTeams).isEmpty() || !request.permit().some()) {
			requireAll(found, request);
		}
		int characters = request.values().values().stream().mapToInt(String::length).sum();
		if (characters > MAX_CHARACTERS) {
			throw new TooLargeException("the values must have at most " + MAX_CHARACTERS + " characters");
		}
		return found;
	}

	private void requireAll(Optional<LiveResource> resource, LiveRequest request) {
		// Without the part, it is unknown which authority its changes would need.
		if (resource.map(LiveResource::operated).orElseGet(() -> this.access.mayOperate(request.principal()))) {
			this.access.requireOperate(request.principal());
		}
		else {
			this.access.requireWrite(request.principal());
		}
	}

	private LiveRequest request(SecurityContext security, String[] path, Map<String, String> values) {
		Optional<Principal> principal = Optional.ofNullable(security.getPrincipal());
		boolean operated = find(path).filter(LiveResource::operated).isPresent();
		return new LiveRequest(Arrays.asList(path).subList(1, path.length), values, principal,
				this.access.permit(principal, operated));
	}

	private static Map<String, String> values(@Nullable String... namesAndValues) {
		Map<String, String> values = new HashMap<>();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			String value = namesAndValues[i + 1];
			if (value != null) {
				values.put(String.valueOf(namesAndValues[i]), value);
			}
		}
		return values;
	}

	private WebEndpointResponse<?> answered(String verb, String[] path, LiveRequest request,
			Supplier<Optional<Object>> work) {
		try {
			return work.get()
				.<WebEndpointResponse<?>>map((body) -> new WebEndpointResponse<>(body, WebEndpointResponse.STATUS_OK))
				.orElseGet(() -> failed(missing(verb, path, request), WebEndpointResponse.STATUS_NOT_FOUND));
		}
		catch (RuntimeException ex) {
			FailureStatus<?> status = FailureStatus.of(ex, this.failures).orElseThrow(() -> ex);
			return failed(status.describe(ex), status.status());
		}
	}

	private String missing(String verb, String[] path, LiveRequest request) {
		if (find(path).isEmpty()) {
			return "there is no part '" + ShownText.of(path[0]) + "'; the parts are " + parts();
		}
		return "there is nothing to " + verb + " at '" + ShownText.of(String.join("/", path)) + "'"
				+ chosen("rule", request) + chosen("subject", request);
	}

	private static String chosen(String name, LiveRequest request) {
		return request.value(name).map((value) -> " for the " + name + " '" + ShownText.of(value) + "'").orElse("");
	}

	static WebEndpointResponse<?> failed(String reason, int status) {
		return new WebEndpointResponse<>(Map.of("error", reason), status);
	}

	private static final class TooLargeException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		TooLargeException(String reason) {
			super(reason);
		}

	}

}
