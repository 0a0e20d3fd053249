package dev.ratelimit.web;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.KeyResolver;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.base.Claims;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.gate.SubjectPart;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.Waiting;

/**
 * Makes the functions that find the parts of subjects.
 */
final class SubjectParts {

	private final Map<String, KeyResolver> resolvers;

	private final Optional<Claims> claims;

	SubjectParts(Map<String, KeyResolver> resolvers, Optional<Claims> claims) {
		this.resolvers = resolvers;
		this.claims = claims;
	}

	private static Optional<String> ip(GateRequest request) {
		return Optional.of(request.addressPart());
	}

	boolean needsPrincipal(Rule rule) {
		return rule.key().parts().stream().anyMatch((part) -> switch (part.kind()) {
			case CALLER, USER, CLAIM -> true;
			case BEAN -> resolver(rule, part).needsPrincipal();
			default -> false;
		});
	}

	SubjectPart<GateRequest> part(Rule rule, KeyPart part) {
		String word = part.kind().word();
		String argument = part.argument();
		return switch (part.kind()) {
			case CALLER -> (request, match) -> user(request).or(() -> ip(request));
			case USER -> (request, match) -> user(request);
			case IP -> (request, match) -> ip(request);
			case GLOBAL -> global();
			case ROUTE -> (request, match) -> Optional.of(Subjects.part(word, match.route()));
			case HEADER -> (request, match) -> value(word, request.header(argument));
			case PATH -> (request, match) -> value(word, match.variable(argument));
			case PARAM -> parameter(word, argument, rule.key().writes(MissingKeyPolicy.SKIP));
			case FORM -> field(word, argument, rule.key().writes(MissingKeyPolicy.SKIP));
			case CLAIM -> claim(word, argument, claims(rule, part));
			case BEAN -> bean(word, resolver(rule, part));
		};
	}

	/**
	 * The flow of a request in the lines of a rule.
	 * @param rule the rule
	 * @return the key that takes turns; nothing if all requests of a bucket are of one
	 * flow
	 */
	SubjectPart<GateRequest> flow(Rule rule) {
		Optional<KeyPart> written = rule.reaction().waiting().flatMap(Waiting::fairBy);
		if (written.isPresent()) {
			return part(rule, written.get());
		}
		return (rule.sharedByAllClients()) ? part(rule, KeyPart.parse(KeyPart.Kind.CALLER.word()))
				: (request, match) -> Optional.empty();
	}

	private static SubjectPart<GateRequest> global() {
		Optional<String> everybody = Optional.of(Subjects.GLOBAL);
		return (request, match) -> everybody;
	}

	private static SubjectPart<GateRequest> bean(String word, KeyResolver resolver) {
		return (request, match) -> value(word, resolver.resolve(request));
	}

	private static SubjectPart<GateRequest> claim(String word, String name, Claims claims) {
		return (request, match) -> value(word, claims.claim(request, name));
	}

	private static Optional<String> user(GateRequest request) {
		return request.principal().map((principal) -> Subjects.part("user", principal.getName()));
	}

	// An empty value says as little as none.
	private static Optional<String> value(String word, Optional<String> value) {
		return value.filter((text) -> !text.isEmpty()).map((text) -> Subjects.part(word, text));
	}

	// To skip what was not read, or is not clear, would be a way around the rule.
	// Readers differ in which of several spellings they take: as a key, the others would
	// be
	// a bucket for each text.
	private static SubjectPart<GateRequest> parameter(String word, String name, boolean skips) {
		Optional<String> unclear = unclear(word, skips);
		return (request, match) -> {
			Optional<String> first = value(word, QueryParameter.first(request.query(), name));
			return (first.isEmpty() && QueryParameter.isElsewhere(request.query(), name)) ? unclear : first;
		};
	}

	// A missing key, also for rules that skip requests without the key.
	private static Optional<String> unclear(String word, boolean skips) {
		return (skips) ? Optional.of(Subjects.missing(word)) : Optional.empty();
	}

	private static SubjectPart<GateRequest> field(String word, String name, boolean skips) {
		Optional<String> unclear = unclear(word, skips);
		return (request, match) -> {
			Form form = form(request);
			return (form.isAmbiguous(name, request.query())) ? unclear : value(word, form.field(name, request.query()));
		};
	}

	// A form that cannot be read has no fields.
	private static Form form(GateRequest request) {
		CompletableFuture<Form> form = request.form();
		return (form.isCompletedExceptionally()) ? Form.NOTHING.join() : form.join();
	}

	private KeyResolver resolver(Rule rule, KeyPart part) {
		KeyResolver resolver = this.resolvers.get(part.argument());
		if (resolver == null) {
			throw invalid(rule, part, "there is no bean '" + part.argument() + "' of type KeyResolver",
					"Define it, or use one of " + this.resolvers.keySet() + ".");
		}
		return resolver;
	}

	private Claims claims(Rule rule, KeyPart part) {
		return this.claims
			.orElseThrow(() -> invalid(rule, part, "Spring Security's OAuth 2 support is not on the classpath",
					"Add 'spring-boot-starter-security-oauth2-resource-server', or choose another key."));
	}

	private static InvalidRuleException invalid(Rule rule, KeyPart part, String reason, String action) {
		return new InvalidRuleException(rule.location() + ".key", part.toString(), reason, action);
	}

}
