@NullMarked
package dev.ratelimit.web;

import org.jspecify.annotations.NullMarked;
