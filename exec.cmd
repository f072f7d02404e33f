@rem Windows has no exec. The scripts in package.json use it, so that a shell elsewhere makes way for what it starts and signals arrive.
@%*
