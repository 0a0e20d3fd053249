package dev.ratelimit.web;

import java.util.Arrays;
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
 * Internal: a request at the gate: what rules may see, and what matching needs.
 */
public interface GateRequest extends RequestView, Call {

	/**
	 * The path after the context path, parsed.
	 * @return the path
	 */
	PathContainer parsedPath();

	/**
	 * The path after normalization.
	 * @return the path; null if it has the segments of the parsed one
	 */
	default @Nullable PathContainer normalizedPath() {
		return NormalizedPath.of(parsedPath());
	}

	/**
	 * Whether the request has come to a server of management's own.
	 * @return whether only management is served there
	 */
	default boolean management() {
		return false;
	}

	/**
	 * The client's address, and the text by which it is counted.
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
	 * Whether a page of another site makes the client send this, by what its browser
	 * says. It is believed only of requests that a cookie authenticates, since a page
	 * cannot make a browser add other credentials: clients that log in otherwise could
	 * say it of all that they send.
	 * @return whether it may be without the client's knowledge
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
	 * The values of the cookies with a name, as the application reads them.
	 * @param name the name, in its case
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
	 * Whether content may follow that no header field announces. HTTP/1.1 announces all
	 * content; since HTTP/2, content without {@code Content-Length} needs no other field.
	 * @return whether the header fields leave it open
	 */
	default boolean mayHideContent() {
		return false;
	}

	/**
	 * Whether the content is a form that must be read to know its fields.
	 * @return whether {@link #form} may take its time
	 */
	default boolean carriesForm() {
		return false;
	}

	/**
	 * The form in the body, if it holds one. It is read when first requested, on the
	 * calling thread if the server blocks, and can still be read by later filters.
	 * @return the form, the same at each call; fails if it cannot be read
	 */
	default CompletableFuture<Form> form() {
		return Form.NOTHING;
	}

	/**
	 * Whether the application finds the fields of a form among the parameters of the
	 * query.
	 * @return whether {@link #parameters} requires the form to be read
	 */
	default boolean mergesForms() {
		return false;
	}

	/**
	 * Whether a field of content that was not read yet may select the handler. It is
	 * found again once {@link #form} was called.
	 * @return whether the handler or the route that was found may be another one
	 */
	default boolean isSelectedByFields() {
		return false;
	}

	/**
	 * The values of a parameter, as the application reads it.
	 * @param name the parameter's name
	 * @return all its values; empty if the content would have to be read
	 */
	default Optional<List<String>> parameters(String name) {
		return Optional.of(QueryParameter.all(query(), name));
	}

	/**
	 * Whether the dispatcher of the web application serves the request.
	 * @return whether the paths of handlers are below that of the dispatcher
	 */
	default boolean isDispatched() {
		return true;
	}

	/**
	 * The pattern that the request was served by, once it was.
	 * @return the pattern; null if none is known
	 */
	default @Nullable Object servedPattern() {
		return null;
	}

	/**
	 * Find the handler of this request by the handler mapping itself. Leaves no trace on
	 * the request.
	 * @return the handler method, if a handler method serves it
	 */
	CompletableFuture<Optional<HandlerKey>> findHandler();

	/**
	 * Find the pattern by which a handler method or a router function serves this
	 * request, by the handler mappings themselves. Leaves no trace on the request.
	 * @return the pattern; empty if neither serves it
	 */
	default CompletableFuture<Optional<String>> findRoute() {
		return CompletableFuture.completedFuture(Optional.empty());
	}

	/**
	 * Check whether the handler mappings that come before those to handler methods, such
	 * as one to router functions, serve this request. Leaves no trace on the request.
	 * @return whether no handler method will see the request
	 */
	default CompletableFuture<Boolean> hasOtherHandler() {
		return findHandler().thenApply(Optional::isEmpty);
	}

}
