/** The image of the gateway. One in Amazon ECR comes with the permission to pull it, which its name alone does not give. */
import type { Stack } from 'aws-cdk-lib'
import { Repository } from 'aws-cdk-lib/aws-ecr'
import { ContainerImage } from 'aws-cdk-lib/aws-ecs'

const inEcr = /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/([^:@]+)(?::([^@]+))?(?:@(.+))?$/

export function imageOf(stack: Stack, name: string): ContainerImage {
  const [, account, region, repositoryName, tag, digest] = inEcr.exec(name) ?? []
  if (account === undefined || region === undefined || repositoryName === undefined)
    return ContainerImage.fromRegistry(name)
  const repositoryArn = stack.formatArn({
    service: 'ecr',
    account,
    region,
    resource: 'repository',
    resourceName: repositoryName,
  })
  const repository = Repository.fromRepositoryAttributes(stack, 'Repository', { repositoryArn, repositoryName })
  return ContainerImage.fromEcrRepository(repository, digest ?? tag ?? 'latest')
}
