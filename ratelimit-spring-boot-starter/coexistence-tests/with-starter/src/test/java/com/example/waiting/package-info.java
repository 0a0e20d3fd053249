/**
 * What the starter adds to an application, and what it leaves alone.
 */
@NullMarked
package com.example.waiting;

import org.jspecify.annotations.NullMarked;
