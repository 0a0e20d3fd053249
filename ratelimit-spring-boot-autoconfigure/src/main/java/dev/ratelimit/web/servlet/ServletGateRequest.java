package dev.ratelimit.web.servlet;

import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.Passage;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.PathContainer;

/**
 * A servlet request at the gate.
 */
final class ServletGateRequest implements GateRequest {

	private final HttpServletRequest request;

	private final ServletHandlers handlers;

	private final PathContainer path;

	ServletGateRequest(HttpServletRequest request, ServletHandlers handlers, Passage sofar) {
		this.request = request;
		this.handlers = handlers;
		this.path = sofar.path(request.getRequestURI(), request.getContextPath());
	}

	@Override
	public String method() {
		return this.request.getMethod();
	}

	@Override
	public String path() {
		return this.path.value();
	}

	@Override
	public PathContainer parsedPath() {
		return this.path;
	}

	@Override
	public String query() {
		String query = this.request.getQueryString();
		return (query != null) ? query : "";
	}

	@Override
	public List<String> headers(String name) {
		return Collections.list(this.request.getHeaders(name));
	}

	@Override
	public Optional<String> header(String name) {
		return Optional.ofNullable(this.request.getHeader(name));
	}

	@Override
	public String remoteAddress() {
		String address = this.request.getRemoteAddr();
		return (address != null) ? address : "";
	}

	@Override
	public Optional<Principal> principal() {
		return Optional.ofNullable(this.request.getUserPrincipal());
	}

	@Override
	public CompletableFuture<Optional<HandlerKey>> askHandler() {
		return CompletableFuture.completedFuture(this.handlers.ask(this.request));
	}

	@Override
	public CompletableFuture<Boolean> askOthers() {
		return CompletableFuture.completedFuture(this.handlers.askOthers(this.request));
	}

}
