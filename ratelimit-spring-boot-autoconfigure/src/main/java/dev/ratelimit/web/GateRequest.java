package dev.ratelimit.web;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.RequestView;
import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.gate.Call;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;

/**
 * Internal: a request at the gate, with the properties that rules and matching read.
 */
public interface GateRequest extends RequestView, Call {

	/**
	 * The path after the context path, parsed.
	 * @return the path
	 */
	PathContainer parsedPath();

	/**
	 * The path after normalization.
	 * @return the path; null if it has the same segments as the parsed path
	 */
	default @Nullable PathContainer normalizedPath() {
		return RequestPaths.normalized(parsedPath());
	}

	/**
	 * Whether the request was sent to a separate management server.
	 * @return whether the server serves only management
	 */
	default boolean management() {
		return false;
	}

	/**
	 * Return the client's address, and the text by which it is counted.
	 * @return the client, the same at each call
	 */
	default ClientAddress client() {
		return ClientAddress.of(IpAddress.parse(remoteAddress()), ClientAddress.IPV6_PREFIX);
	}

	@Override
	default IpAddress address() {
		return client().address();
	}

	/**
	 * Whether a page of another site makes the client send this request, by the headers
	 * of its browser. The headers are trusted only if a cookie authenticates the request,
	 * because a page cannot make a browser add other credentials, and other clients could
	 * set the headers in all requests.
	 * @return whether the client may send the request without its user's knowledge
	 */
	@Override
	default boolean isCrossSite() {
		return CrossSite.isSentBy(this::headers);
	}

	@Override
	default String addressPart() {
		return Subjects.part("ip", client().key());
	}

	/**
	 * Return the values of the cookies with a name, as the application reads them.
	 * @param name the name, case-sensitive
	 * @return the different values, in their order
	 */
	default List<String> cookies(String name) {
		return headers(HttpHeaders.COOKIE).stream()
			.flatMap((line) -> Arrays.stream(line.split(";")))
			.map((pair) -> pair.split("=", 2))
			.filter((pair) -> pair.length == 2 && pair[0].trim().equals(name))
			.map((pair) -> pair[1].trim())
			.distinct()
			.toList();
	}

	/**
	 * Whether the request may have content that no header field announces. HTTP/1.1
	 * announces all content; since HTTP/2, content without {@code Content-Length} needs
	 * no other field.
	 * @return whether the header fields do not determine it
	 */
	default boolean mayHideContent() {
		return false;
	}

	/**
	 * Whether the content is a form that must be read to find its fields.
	 * @return whether {@link #form} may take some time
	 */
	default boolean carriesForm() {
		return false;
	}

	/**
	 * Return the form in the body, if there is one. It is read at the first call, on the
	 * calling thread if the server blocks, and later filters can read it again.
	 * @return the form, the same at each call; fails if it cannot be read
	 */
	default CompletableFuture<Form> form() {
		return Form.NOTHING;
	}

	/**
	 * Whether the application reads fields of a form and parameters of the query in the
	 * same way.
	 * @return whether {@link #parameters} requires the form to be read
	 */
	default boolean mergesForms() {
		return false;
	}

	/**
	 * Whether a field of unread content may select the handler. After a call of
	 * {@link #form}, the handler is found again.
	 * @return whether the current handler or route may be wrong
	 */
	default boolean isSelectedByFields() {
		return false;
	}

	/**
	 * Return the values of a parameter, as the application reads it.
	 * @param name the parameter's name
	 * @return all its values; empty if the content would have to be read
	 */
	default Optional<List<String>> parameters(String name) {
		return Optional.of(QueryParameter.all(query(), name));
	}

	/**
	 * Whether the application may read a header instead of a parameter that is missing.
	 * @param parameter the parameter's name
	 * @return whether data binding reads one of the headers under this name
	 */
	default boolean hasHeaderFor(ParameterName parameter) {
		return headerNames().stream().anyMatch(parameter::readsHeader);
	}

	/**
	 * Return the names of all headers.
	 * @return the names in any case; none if handlers have no data binding
	 */
	default Collection<String> headerNames() {
		return List.of();
	}

	/**
	 * Whether the dispatcher of the web application serves the request.
	 * @return whether the paths of handlers are below that of the dispatcher
	 */
	default boolean isDispatched() {
		return true;
	}

	/**
	 * Return the pattern by which the request was served.
	 * @return the pattern; null if the request is not served yet, or the pattern is
	 * unknown
	 */
	default @Nullable Object servedPattern() {
		return null;
	}

	/**
	 * Find the handler of this request by the handler mapping itself. Does not change the
	 * request.
	 * @return the handler method, if a handler method serves it
	 */
	CompletableFuture<Optional<HandlerKey>> findHandler();

	/**
	 * Find the pattern by which a handler method or a router function serves this
	 * request, by the handler mappings themselves. Does not change the request.
	 * @return the pattern; empty if neither serves it
	 */
	default CompletableFuture<Optional<String>> findRoute() {
		return CompletableFuture.completedFuture(Optional.empty());
	}

	/**
	 * Check whether the handler mappings before those of handler methods, such as one of
	 * router functions, serve this request. Does not change the request.
	 * @return whether no handler method will serve the request
	 */
	default CompletableFuture<Boolean> hasOtherHandler() {
		return findHandler().thenApply(Optional::isEmpty);
	}

}
